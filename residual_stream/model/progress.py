"""Progress of long computations: to the caller's function, or to a bar on standard error."""

from contextlib import contextmanager

from tqdm import tqdm

QUIET_SECONDS = 2.0


@contextmanager
def reporting(total, progress=None, unit="step", initial=0):
    """Yields ``report(done)``, to be called as the work goes on, from ``initial`` to ``total``.

    ``progress(done, total)`` is called where given. Without it a bar with the time left appears on standard error
    once two seconds have passed, where standard error is a terminal: notebooks and logs stay clean.
    """
    if progress is not None:
        yield lambda done: progress(done, total)
        return
    with tqdm(total=total, initial=initial, unit=unit, delay=QUIET_SECONDS, leave=False, disable=None) as bar:
        yield lambda done: bar.update(done - bar.n)
