"""Pack the built site into _build/html/the-residual-stream.zip: unpack it and open index.html, no network needed.

Build the book first (python -m residual_stream book). The same site gives the same bytes.
"""

import io
import zipfile

from .book import SITE
from .pdf import built_pages
from ..recall.classroom.files import write_whole

ZIP = SITE / "the-residual-stream.zip"
FOLDER = "the-residual-stream"
# What only a server has a use for, and what is a download of its own.
SERVER_ONLY = {"404.html", "sitemap.xml", "robots.txt", "objects.inv", ".buildinfo", "card.png"}
EPOCH = (1980, 1, 1, 0, 0, 0)


def configure(parser):
    """There is nothing to choose."""


def packed(site):
    """The files of a site that go into the zip, in a fixed order."""
    return sorted(file for file in site.rglob("*")
                  if file.is_file() and file.name not in SERVER_ONLY and file.suffix not in {".pdf", ".zip"})


def run(arguments):
    built_pages()
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in packed(SITE):
            entry = zipfile.ZipInfo(f"{FOLDER}/{file.relative_to(SITE).as_posix()}", EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, file.read_bytes())
    write_whole(ZIP, content.getvalue())
    print(f"The site to take along ({ZIP.stat().st_size / 1e6:.1f} MB):  {ZIP.resolve()}")
