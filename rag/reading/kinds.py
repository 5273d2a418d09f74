"""What kind of file some bytes are: by what they begin with, by the name's ending where that says nothing."""

import io
import zipfile
from pathlib import PurePath

from rag.documents import Unreadable

ENDINGS = {
    "pdf": "pdf", "docx": "docx", "xlsx": "xlsx", "xlsm": "xlsx", "html": "html", "htm": "html", "xhtml": "html",
    "md": "md", "markdown": "md", "txt": "txt", "text": "txt", "csv": "txt",
}  # fmt: skip
KINDS = "PDF, DOCX, XLSX, HTML, Markdown or text"


def kind_of(data: bytes, name: str) -> str:
    """pdf, docx, xlsx, html, md or txt. Raises Unreadable for anything else."""
    ending = PurePath(name).suffix.lower().lstrip(".")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data[:4] == b"PK\x03\x04":
        return _zipped(data)
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise Unreadable("it is an old Office file or one with a password. Save it as DOCX, XLSX or PDF without one.")
    kind = ENDINGS.get(ending)
    if kind == "pdf":
        raise Unreadable("it is called a PDF and is none. Download it again, or rename it to what it is.")
    if kind in ("docx", "xlsx"):
        raise Unreadable(f"it is called {ending.upper()} and is damaged or none. Save it again.")
    if kind is None:
        raise Unreadable(f"files of the kind “{ending or 'without an ending'}” are not read. Give {KINDS}.")
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("it is no text: it has bytes that no text has.")
    return kind


def _zipped(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            names = set(parts.namelist())
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise Unreadable("the file is damaged. Save or download it again.") from error
    if "word/document.xml" in names:
        return "docx"
    if "xl/workbook.xml" in names:
        return "xlsx"
    raise Unreadable(f"archives are not read. Give {KINDS}.")
