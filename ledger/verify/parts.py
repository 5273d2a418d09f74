"""Only planned parts differ; all others are the same bytes."""

import posixpath

from ledger.changes import Plan
from ledger.verify.formats import styles_part
from ledger.verify.package import Package, check_well_formed, relations_part, tree_of
from ledger.verify.rejection import require
from ledger.verify.sheets import touched_sheets


def check_parts(old: Package, new: Package, plan: Plan) -> None:
    """Only planned parts are changed, added or dropped; the others are the same bytes; what changed is well-formed."""
    added = {target for sheet in plan.new_sheets for _, target in sheet.parts}
    added |= {
        relations_part(to)
        for sheet in plan.new_sheets
        for part, to in sheet.parts
        if relations_part(part) in old.members
    }
    gone = set(old.members) - set(new.members)
    require(gone == set(plan.dropped), f"a part is missing: {', '.join(sorted(gone ^ set(plan.dropped)))}")
    extra = set(new.members) - set(old.members)
    require(extra == added, f"a part more or less than planned was added: {', '.join(sorted(extra ^ added))}")
    for part in plan.dropped:
        require(posixpath.basename(part) == "calcChain.xml", f"the part {part} may not be dropped")
    touched = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    touched |= {moves.sheet for moves in plan.moves}
    allowed = (
        {old.sheet_parts.get(sheet, "") for sheet in touched} | {change.part for change in plan.ranges} | {old.workbook}
    )
    if plan.styles:
        allowed |= {part for part in (styles_part(old),) if part}
    if plan.new_sheets or plan.dropped:
        allowed |= {"[Content_Types].xml", relations_part(old.workbook)}
        _check_listing(old, new, plan)
    # of a sheet, what lies outside its rows and each touched row is parsed later: the other rows are the same bytes
    sheet_parts = {old.sheet_parts.get(sheet) for sheet in touched_sheets(old, plan)}
    for part in old.members.keys() & new.members.keys():
        raw = new.raw(part)
        if part in allowed:
            if part not in sheet_parts:
                check_well_formed(new.read(part), part)
        elif old.raw(part) != raw or old.members[part].CRC != new.members[part].CRC:
            require(old.read(part) == new.read(part), f"the part {part} was changed")
    for part in added:
        if part.endswith((".xml", ".rels")):
            check_well_formed(new.read(part), part)


def _check_listing(old: Package, new: Package, plan: Plan) -> None:
    """Content types and the workbook's relations name the new parts, not the dropped ones, and nothing else moved."""
    defaults, overrides = _content_types(old)
    expected = {part: kind for part, kind in overrides.items() if part not in plan.dropped}
    for sheet in plan.new_sheets:
        expected |= {target: overrides[part] for part, target in sheet.parts if part in overrides}
    require(_content_types(new) == (defaults, expected), "the list of content types differs from the plan")
    relations = sorted(pair for pair in old.relations(old.workbook).values() if pair[1] not in plan.dropped)
    # a chart on a sheet of its own is listed as a sheet, and related in another way
    likes = {old.sheet_parts.get(sheet.like) for sheet in plan.new_sheets}
    kind = next((kind for kind, target in relations if target in likes), "")
    relations = sorted([*relations, *((kind, sheet.part) for sheet in plan.new_sheets)])
    require(
        relations == sorted(new.relations(new.workbook).values()), "the relations of the workbook differ from the plan"
    )
    kept = {key: pair for key, pair in old.relations(old.workbook).items() if pair[1] not in plan.dropped}
    after = new.relations(new.workbook)
    require(all(after.get(key) == pair for key, pair in kept.items()), "a relation of the workbook was renamed")


def _content_types(package: Package) -> tuple[dict[str, str], dict[str, str]]:
    defaults, overrides = {}, {}
    for element in tree_of(package.read("[Content_Types].xml")):
        if element.tag.endswith("}Default"):
            defaults[element.get("Extension")] = element.get("ContentType")
        else:
            overrides[element.get("PartName").lstrip("/")] = element.get("ContentType")
    return defaults, overrides
