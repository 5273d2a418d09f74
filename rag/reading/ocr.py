"""Scanned pages made readable by ocrmypdf, where it is installed."""

import shutil
import subprocess
from pathlib import Path

from rag.documents import Unreadable

_SECONDS = 1800


def ocr_installed() -> bool:
    """Whether ocrmypdf and tesseract are there."""
    return shutil.which("ocrmypdf") is not None and shutil.which("tesseract") is not None


def readable_by_ocr(path: Path) -> Path:
    """A PDF beside this one whose scanned pages have text. Raises Unreadable with what to do."""
    target = path.with_name(f"{path.stem}.ocr.pdf")
    if target.is_file():
        return target
    program = shutil.which("ocrmypdf")
    if program is None or not ocr_installed():
        raise Unreadable("reading scanned pages needs ocrmypdf and tesseract, which are not installed here.")
    fresh = target.with_name(target.name + ".new")
    try:
        done = subprocess.run(  # noqa: S603  a fixed program, and our own file names
            [program, "--skip-text", "--quiet", "--output-type", "pdf", str(path), str(fresh)],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Unreadable("reading its scanned pages took more than half an hour and was ended.") from error
    if done.returncode != 0:
        raise Unreadable("its scanned pages could not be read by ocrmypdf.")
    fresh.replace(target)
    return target
