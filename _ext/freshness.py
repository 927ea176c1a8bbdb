"""What has to be made again: notebooks when the package changes, pages when the site's own parts change.

myst-nb keeps executed notebooks by their text alone. Here the cache's folder is named after a digest of the
package that the notebooks call, so a change in the package executes them anew; caches of other digests go.
"""

import hashlib
import shutil
from pathlib import Path

PACKAGE_SUFFIXES = {".py", ".toml", ".csv", ".json"}
CACHES = ".execution"


def digest(files, root):
    """A short name for the content of ``files`` (paths below ``root``): the same on every machine."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(file.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


def package_digest(root):
    """The digest of ``residual_stream/`` below ``root``."""
    return digest([file for file in (root / "residual_stream").rglob("*")
                   if file.suffix in PACKAGE_SUFFIXES and file.is_file()], root)


def site_digest(root):
    """The digest of extensions, templates, style sheets and scripts below ``root``."""
    return digest([file for folder in ("_ext", "_templates", "_assets") for file in (root / folder).rglob("*")
                   if file.is_file() and "__pycache__" not in file.parts], root)


def renew(app, config):
    """Put both digests into the configuration, where Sphinx sees that they changed and reads every page anew."""
    root = Path(app.srcdir)
    config.package_digest, config.site_digest = package_digest(root), site_digest(root)
    caches = Path(app.outdir).parent / CACHES
    current = caches / config.package_digest
    for other in caches.glob("*"):
        if other != current:
            shutil.rmtree(other)
    config.nb_execution_cache_path = str(current)


def forget_faults(app, exception):
    """After a warning, read every page anew next time: an unchanged page would keep its fault and not report it again."""
    if app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)


def setup(app):
    app.add_config_value("package_digest", "", "env", [str])
    app.add_config_value("site_digest", "", "env", [str])
    app.connect("config-inited", renew)
    app.connect("build-finished", forget_faults)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
