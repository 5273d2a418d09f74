"""What is raised when a book's new bytes are not what was planned."""

import struct
import zipfile
import zlib
from typing import Final

from lxml import etree

UNREADABLE: Final = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
    etree.LxmlError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""what reading a file that is not what it seems can raise, in any of the readers used here: none of it may pass"""


class WriteRejected(Exception):
    """The new bytes are not the old ones with exactly the planned changes; the reason says where."""


def require(holds: object, reason: str) -> None:
    """Reject with the reason unless it holds."""
    if not holds:
        raise WriteRejected(reason)
