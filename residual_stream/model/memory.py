"""What a trace needs in memory, estimated before it starts, and what the machine has."""

import ctypes
import os
import sys
from dataclasses import replace
from pathlib import Path

ROW = 1000      # bytes of the recorded numbers of one layer


def needed_bytes(config, gradients=False, stored=True):
    """An estimate of the peak, in bytes, of a trace, or of ``gradient_norms``, which keeps what every layer computed.

    ``stored`` is False where weights are drawn in blocks and never kept.
    """
    size = 8 if config.dtype == "float64" else 4
    columns = 2 * (config.width + config.key_columns()) + config.ff_inputs() + config.ff
    matrices = size * config.width * columns if stored else 0
    stream = size * config.tokens * config.width
    hidden = size * config.tokens * config.ff_inputs()
    scores = size * config.heads * config.tokens**2
    if not gradients:
        return 1.4 * matrices + 1.1 * scores + 3 * hidden + 8 * stream + ROW * config.layers
    classes = size * config.vocabulary * (config.width + 3 * config.tokens)
    kept = matrices + scores + 3 * hidden + 9 * stream + ROW
    return config.layers * kept + matrices + 2 * scores + 3 * hidden + classes


def machine_bytes():
    """The memory that this process may use at most: the machine's or its container's; None where it cannot be told."""
    limits = [_limit(path) for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")]
    known = [limit for limit in (_physical(), *limits) if limit]
    return min(known, default=None)


def _physical():
    if sys.platform == "win32":
        fields = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong), ("total", ctypes.c_ulonglong)]
        fields += [(f"unused_{place}", ctypes.c_ulonglong) for place in range(6)]
        status = type("MemoryStatus", (ctypes.Structure,), {"_fields_": fields})()
        status.length = ctypes.sizeof(status)
        return status.total if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _limit(path):
    """A container's limit, or None where there is none."""
    try:
        text = Path(path).read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def require_memory(config, gradients=False, stored=True, available=None):
    """Refuse a configuration that needs more memory than ``available`` bytes (default: what the machine has).

    Raises ValueError naming the field whose reduction costs least, and the largest value of it that fits.
    """
    available = machine_bytes() if available is None else available
    needed = needed_bytes(config, gradients, stored)
    if available is None or needed <= available:
        return
    fitting = {
        field: _largest(config, field, lambda changed: needed_bytes(changed, gradients, stored) <= available)
        for field in ("layers", "tokens", "width")
    }
    field = max(fitting, key=lambda name: fitting[name] / getattr(config, name))
    remedy = f"choose {field}={fitting[field]} or less" if fitting[field] else "choose less of all"
    raise ValueError(
        f"{field} {getattr(config, field)} is too much: this needs about {needed / 1e9:,.1f} GB of memory and the "
        f"machine has {available / 1e9:,.1f} GB: {remedy}"
    )


def _largest(config, field, fits):
    """The largest value of ``field`` that fits (of the width: a multiple of the heads), 0 where none does."""
    step = config.heads if field == "width" else 1
    low, high = 0, getattr(config, field) // step
    while high - low > 1:
        middle = (low + high) // 2
        value = middle * step
        changes = {"ff": max(1, config.ff * value // config.width)} if field == "width" else {}
        low, high = (middle, high) if fits(replace(config, **{field: value}, **changes)) else (low, middle)
    return low * step
