"""The cell formats: only appended to, each new one its base with another fill, font colour or number format."""

from collections.abc import Sequence
from typing import Any

from ledger.changes import NewStyle
from ledger.verify.package import MAIN, Package, canonical, tree_of
from ledger.verify.rejection import require


def styles_part(package: Package) -> str | None:
    """The part that holds the book's cell formats."""
    return next(
        (target for kind, target in package.relations(package.workbook).values() if kind.endswith("/styles")), None
    )


def check_styles(old: Package, new: Package, planned: Sequence[NewStyle]) -> None:
    """Formats are only appended, each equal to its base but for the planned fill, font colour and number format."""
    if not planned:
        return
    part = styles_part(old)
    require(part is not None and part == styles_part(new), "the book's formats were moved")
    before, after = tree_of(old.read(part or "")), tree_of(new.read(part or ""))
    growing = {f"{MAIN}{tag}" for tag in ("numFmts", "fonts", "fills", "cellXfs")}
    rest = [[canonical(child) for child in tree if child.tag not in growing] for tree in (before, after)]
    require(
        rest[0] == rest[1] and dict(before.attrib) == dict(after.attrib), "the book's formats have an unplanned change"
    )
    require(
        [child.tag for child in after if child.tag != f"{MAIN}numFmts"]
        == [child.tag for child in before if child.tag != f"{MAIN}numFmts"],
        "the book's formats were reordered",
    )
    for tag in growing:
        first, second = before.find(tag), after.find(tag)
        lists = [[canonical(child) for child in element] if element is not None else [] for element in (first, second)]
        require(lists[1][: len(lists[0])] == lists[0], f"an existing format was changed in {tag.rpartition('}')[2]}")
        if second is not None and second.get("count") is not None:
            require(int(second.get("count")) == len(lists[1]), f"the count of {tag.rpartition('}')[2]} is wrong")
    formats = after.find(f"{MAIN}cellXfs")
    first_new = len(before.find(f"{MAIN}cellXfs"))
    require(
        [style.index for style in planned] == list(range(first_new, len(formats))),
        "the new formats differ from the plan",
    )
    for style in planned:
        _check_style(after, style)


def _check_style(tree: Any, style: NewStyle) -> None:
    formats = tree.find(f"{MAIN}cellXfs")
    own, base = formats[style.index], formats[style.base]
    free = {"fillId", "fontId", "numFmtId", "applyFill", "applyFont", "applyNumberFormat"}
    same = {key: value for key, value in own.attrib.items() if key not in free} == {
        key: value for key, value in base.attrib.items() if key not in free
    }
    require(
        same and [canonical(child) for child in own] == [canonical(child) for child in base], "a new format differs"
    )
    fill = tree.find(f"{MAIN}fills")[int(own.get("fillId", "0"))]
    if style.fill is None:
        require(own.get("fillId", "0") == base.get("fillId", "0"), "a new format has another fill")
    elif style.fill == "":
        require(own.get("fillId", "0") == "0", "a new format has a fill")
    else:
        pattern = fill.find(f"{MAIN}patternFill")
        colour = pattern.find(f"{MAIN}fgColor") if pattern is not None else None
        solid = colour is not None and pattern.get("patternType") == "solid" and colour.get("rgb") == style.fill
        require(solid, "a new format has another fill than planned")
    fonts = tree.find(f"{MAIN}fonts")
    own_font, base_font = fonts[int(own.get("fontId", "0"))], fonts[int(base.get("fontId", "0"))]
    if style.font is None:
        require(own_font is base_font, "a new format has another font")
    else:
        colours = own_font.findall(f"{MAIN}color")
        require(
            [colour.get("rgb") for colour in colours] == ([style.font] if style.font else []),
            "a font has another colour",
        )
        others = [[canonical(child) for child in font if child.tag != f"{MAIN}color"] for font in (own_font, base_font)]
        require(others[0] == others[1], "a new font differs in more than its colour")
    if style.number_format is None:
        require(own.get("numFmtId", "0") == base.get("numFmtId", "0"), "a new format has another number format")
    else:
        codes = {element.get("numFmtId"): element.get("formatCode") for element in tree.iter(f"{MAIN}numFmt")}
        codes["0"] = ""
        require(codes.get(own.get("numFmtId", "0")) == style.number_format, "a new format has another number format")
