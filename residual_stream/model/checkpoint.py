"""The state of a long trace on disk, so that an interrupted one goes on where it stopped."""

import hashlib
import json
import os
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """After ``layer`` whole layers: the ``stream`` (tokens, width) and the ``rows`` (additions, columns) so far."""

    layer: int
    stream: np.ndarray
    rows: np.ndarray


def digest(**settings):
    """A short fingerprint of everything that decides the result; equal settings, equal fingerprint."""
    text = json.dumps(settings | {"numpy": np.__version__}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def default_path(fingerprint):
    """Where a checkpoint lies unless told otherwise: in the user's cache directory."""
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "residual-stream" / f"trace-{fingerprint}.npz"


def save(path, fingerprint, state):
    """Write ``state`` to ``path`` in one step: an interruption leaves the old file or the new one, never a half.

    Raises ValueError where the place cannot be written.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(part, "wb") as file:
                np.savez(file, fingerprint=fingerprint, **state._asdict())
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ValueError(
            f"checkpoint {path} cannot be written ({error.strerror}): choose another place with --checkpoint PATH"
        ) from error


def load(path, fingerprint):
    """The state saved at ``path``, or None where there is no file.

    Raises ValueError where the file belongs to other settings or is no checkpoint.
    """
    elsewhere = "choose another place with --checkpoint PATH"
    try:
        with np.load(path, allow_pickle=False) as saved:
            found = str(saved["fingerprint"])
            state = State(int(saved["layer"]), saved["stream"], saved["rows"])
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"checkpoint {path} is no checkpoint: delete it, or {elsewhere}") from error
    except OSError as error:
        raise ValueError(f"checkpoint {path} cannot be read ({error.strerror}): {elsewhere}") from error
    if found != fingerprint:
        raise ValueError(f"checkpoint {path} belongs to a trace with other settings: delete it, or {elsewhere}")
    return state


def remove(path):
    """Forget the checkpoint once the trace is complete."""
    with suppress(FileNotFoundError):
        os.unlink(path)
