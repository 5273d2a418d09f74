"""The workbook part: sheets, names and views as planned, recalculation asked for."""

from collections.abc import Mapping
from typing import Any

from ledger.changes import Plan
from ledger.verify.package import MAIN, Package, canonical
from ledger.verify.ranges import pairs_of
from ledger.verify.rejection import require


def check_workbook(old: Package, new: Package, plan: Plan) -> None:
    """Sheets in the planned order, names moved with them or grown as planned, recalculation on opening, no more."""
    before, after = old.workbook_tree, new.workbook_tree
    require(
        new.workbook == old.workbook and dict(before.attrib) == dict(after.attrib), "the workbook part was replaced"
    )
    sheets = [dict(sheet.attrib) for sheet in before.find(f"{MAIN}sheets")]
    names = [sheet["name"] for sheet in sheets]
    for planned in plan.new_sheets:
        require(planned.name not in names, f"there is already a sheet {planned.name}")
    order: list[str] = list(names)
    for planned in sorted(plan.new_sheets, key=lambda sheet: sheet.position):
        order.insert(planned.position, planned.name)
    moved = {names.index(name): order.index(name) for name in names}
    after_sheets = [dict(sheet.attrib) for sheet in after.find(f"{MAIN}sheets")]
    require([sheet["name"] for sheet in after_sheets] == order, "the order of the sheets differs from the plan")
    require(
        [sheet for sheet in after_sheets if sheet["name"] in names] == sheets,
        "a sheet's name, number or state was changed",
    )
    require(len({sheet["sheetId"] for sheet in after_sheets}) == len(order), "two sheets share a number")
    for planned in plan.new_sheets:
        own = next(sheet for sheet in after_sheets if sheet["name"] == planned.name)
        require(
            "state" not in own and new.sheet_parts[planned.name] == planned.part,
            f"the sheet {planned.name} is not as planned",
        )
    _check_names(before, after, plan, old.workbook, moved)
    calculation = after.find(f"{MAIN}calcPr")
    asks = calculation is not None and calculation.get("fullCalcOnLoad") in ("1", "true")
    require(asks, "the book does not ask to be recalculated on opening")
    earlier = before.find(f"{MAIN}calcPr")
    for key in {*calculation.attrib, *(earlier.attrib if earlier is not None else ())} - {"fullCalcOnLoad"}:
        same = earlier is not None and earlier.get(key) == calculation.get(key)
        require(same, f"the calculation setting {key} was changed")
    views = [dict(view.attrib) for view in before.iter(f"{MAIN}workbookView")]
    for view in views:
        for key in view.keys() & {"activeTab", "firstSheet"}:
            view[key] = str(moved.get(int(view[key]), int(view[key])))
    require(
        views == [dict(view.attrib) for view in after.iter(f"{MAIN}workbookView")], "the view of the book was changed"
    )
    skipped = {f"{MAIN}{tag}" for tag in ("sheets", "definedNames", "calcPr", "bookViews")}
    rest = [[canonical(child) for child in tree if child.tag not in skipped] for tree in (before, after)]
    require(rest[0] == rest[1], "the workbook part has an unplanned change")


def _check_names(before: Any, after: Any, plan: Plan, part: str, moved: Mapping[int, int]) -> None:
    pairs = pairs_of(plan, part)
    used: set[str] = set()
    expected = []
    for name in before.iter(f"{MAIN}definedName"):
        attributes = dict(name.attrib)
        if "localSheetId" in attributes:
            index = int(attributes["localSheetId"])
            attributes["localSheetId"] = str(moved.get(index, index))
        text = name.text or ""
        used |= {text} & pairs.keys()
        expected.append((sorted(attributes.items()), pairs.get(text, text)))
    require(used == pairs.keys(), "a name that should grow is not there")
    for sheet in plan.new_sheets:
        expected += [
            (sorted({"name": name, "localSheetId": str(sheet.position)}.items()), text) for name, text in sheet.names
        ]
    found = [
        (sorted((key, value) for key, value in name.attrib.items()), name.text or "")
        for name in after.iter(f"{MAIN}definedName")
    ]
    own = {(dict(attributes).get("name"), dict(attributes).get("localSheetId")) for attributes, _ in found}
    require(len(own) == len(found), "a name is defined twice")
    trimmed = [(_without_hidden(attributes, plan), text) for attributes, text in found]
    wanted = [(_without_hidden(attributes, plan), text) for attributes, text in expected]
    require(sorted(trimmed) == sorted(wanted), "the defined names differ from the plan")


def _without_hidden(attributes: list[tuple[str, str]], plan: Plan) -> list[tuple[str, str]]:
    """A new sheet's names may be hidden, as the copied ones are; of all others every attribute counts."""
    given = dict(attributes)
    if given.get("localSheetId") in {str(sheet.position) for sheet in plan.new_sheets}:
        given.pop("hidden", None)
    return sorted(given.items())
