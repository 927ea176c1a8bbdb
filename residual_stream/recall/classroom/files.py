"""Files that are there whole or not at all, and tables in them."""

import csv
import io
import os
from pathlib import Path


def write_whole(path, content):
    """Write bytes, a text (UTF-8) or the lines of one so that an interruption leaves the old file or the new one."""
    path = Path(path)
    parts = [content] if isinstance(content, (bytes, str)) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.part")
        try:
            with draft.open("wb") as file:
                file.writelines(part if isinstance(part, bytes) else part.encode("utf-8", "replace") for part in parts)
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as fault:
        raise ValueError(f"{path} cannot be written: {fault.strerror}") from fault


def table(header, rows):
    """The lines of a CSV file of texts and numbers; what a spreadsheet would take for a formula gets an apostrophe.

    One line is held at a time: a marking sheet repeats each criterion for every student.
    """
    writer = csv.writer(_Line, lineterminator="\n")
    yield writer.writerow(header)
    for row in rows:
        yield writer.writerow([_harmless(entry) for entry in row])


class _Line:
    """Where ``csv`` writes a line, which its ``writerow`` then gives back."""

    write = staticmethod(str)


def _harmless(entry):
    if isinstance(entry, str) and entry[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{entry}"
    return entry


def read_table(path, required, what):
    """Each row of a CSV file as a dict with lower-case keys, and its line under ``line``.

    Commas or semicolons divide. Raises ValueError, naming the file and the line, for what is no such table.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as fault:
        raise ValueError(f"{what} {path} cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise ValueError(f"{what} {path} is not UTF-8 (byte {fault.start}): save it as CSV UTF-8") from fault
    header = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if header.count(";") > header.count(",") else ",", strict=True)
    names = None
    try:
        for row in reader:
            if not any(entry.strip() for entry in row):
                continue
            if names is None:
                names = [name.strip().lower() for name in row]
                missing = [name for name in required if name not in names]
                if missing:
                    raise ValueError(f"{what} {path} has no column {missing[0]}; its first line must name the columns "
                                     f"{', '.join(required)}")
                continue
            if len(row) > len(names):
                raise ValueError(f"{what} {path}, line {reader.line_num}: {len(row)} entries for {len(names)} columns")
            yield dict(zip(names, map(str.strip, row))) | {"line": reader.line_num}
    except csv.Error as fault:
        raise ValueError(f"{what} {path}, line {reader.line_num} is not CSV: {fault}") from fault
    if names is None:
        raise ValueError(f"{what} {path} is empty: its first line must name the columns {', '.join(required)}")
