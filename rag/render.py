"""A page of a PDF as a picture."""

import io
from pathlib import Path

from rag.documents import Unreadable

_MOST_PIXELS = 12_000_000


def picture_of(path: Path, number: int, width: int) -> bytes | None:
    """A page as a PNG so many pixels wide; None when the file has no such page. Raises Unreadable."""
    import pypdfium2
    from PIL import Image

    from rag.reading.pdf import GUARD

    try:
        with GUARD, pypdfium2.PdfDocument(path) as document:
            if not 1 <= number <= len(document):
                return None
            page = document[number - 1]
            across, down = page.get_size()
            if not (across > 0 and down > 0):
                return None
            # a page as wide as a house, or as long, must not take all memory
            scale = min(width / across, (_MOST_PIXELS / (across * down)) ** 0.5)
            image: Image.Image = page.render(scale=scale).to_pil()
    except pypdfium2.PdfiumError as error:
        raise Unreadable("the page cannot be shown.") from error
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()
