"""What every test may ask for. A tool that CI must have is a failure there, a skipped test elsewhere."""

import os

import pytest

from residual_stream import chromium


def missing(reason):
    """Skip the test with one line, or fail it where CI is set: nothing goes untested there in silence."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium_path():
    """The path of the machine's Chromium."""
    try:
        return chromium.find()
    except ValueError as absent:
        missing(str(absent))


@pytest.fixture(scope="session")
def torch():
    """PyTorch, the second oracle: optional (``pip install -r requirements/torch.txt``)."""
    try:
        import torch
    except ImportError:
        if os.environ.get("WITHOUT_TORCH"):
            pytest.skip("PyTorch is left out on purpose (WITHOUT_TORCH is set)")
        missing("PyTorch is not installed: pip install -r requirements/torch.txt")
    return torch
