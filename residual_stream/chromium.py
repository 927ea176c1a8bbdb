"""Which Chromium prints the book and reads its pages in the tests."""

import os
import shutil

# The first is the same engine without the browser's window: it starts, and opens pages, in half of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """The path of the Chromium that the variable CHROMIUM names, or of the first of ``NAMES`` that the system has.

    Raises ValueError where there is none.
    """
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise ValueError("Chromium is not installed: apt-get install chromium (or set CHROMIUM to its path)")
    return found
