"""What nbval compares: text, formulas and streams. Figures are compared through their text form."""

import os

# No test reads or writes the progress of whoever runs it; kernels that nbval starts inherit this.
os.environ["RESIDUAL_STREAM_PROGRESS"] = ""


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):
        # The committed notebooks do not store these kinds, so their appearing on a run is no difference.
        collector.skip_compare += ("text/html", "text/markdown", "image/svg+xml", "application/vnd.jupyter.widget-view+json")
