"""The peak memory of one job in a fresh process: ``python -m bench.memory JOB LAYERS`` prints megabytes."""

import platform
import re
import resource
import subprocess
import sys
from pathlib import Path


def peak_megabytes():
    """The most memory that this process has held."""
    status = Path("/proc/self/status")
    if status.exists():     # Linux: a new program inherits its parent's ru_maxrss, while VmHWM begins anew
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if platform.system() == "Darwin" else 1024) / 1e6


def peak(job, layers=1):
    """Run a job in a fresh interpreter and return its peak memory in MB."""
    command = [sys.executable, "-m", "bench.memory", job, str(layers)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def interpreter(layers):
    """Nothing at all: what every other number is held against."""


def trace(layers):
    """A forward trace, each layer's weights drawn, used and dropped."""
    import residual_stream

    from .layers import stack_config

    residual_stream.trace(stack_config(layers))


def gradient_norms(layers):
    """Forward and backward, of the gradients only the norms kept."""
    import residual_stream

    from .layers import stack_config

    residual_stream.gradient_norms(stack_config(layers))


def gradients(layers):
    """Forward and backward, all gradients kept."""
    from .layers import ours

    ours(layers)["forward and backward"]()


def pytorch_gradients(layers):
    """The same in PyTorch."""
    from .layers import theirs

    theirs(layers)["forward and backward"]()


JOBS = {job.__name__: job for job in (interpreter, trace, gradient_norms, gradients, pytorch_gradients)}


if __name__ == "__main__":
    JOBS[sys.argv[1]](int(sys.argv[2]))
    print(peak_megabytes())
