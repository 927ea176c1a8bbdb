"""These tests need tools that the book does not: they are skipped where one is missing, and fail under `make test-class`."""

import os
from importlib import import_module

import pytest


@pytest.fixture(scope="session")
def tool():
    """``tool("anki")`` imports an optional package."""
    def load(name):
        try:
            return import_module(name)
        except ImportError:
            if os.environ.get("TEST_CLASS"):
                pytest.fail(f"{name} is not installed: pip install -r requirements/class.txt")
            pytest.skip(f"{name} is not installed (requirements/class.txt)")
    return load
