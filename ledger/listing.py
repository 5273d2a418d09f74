"""Where a book lists what it holds: the workbook part, its relations and the content types, as a plan leaves them."""

import posixpath
import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from ledger.changes import NewSheet, Plan
from ledger.entries import BookRefused
from ledger.splice import pairs_of, with_ranges
from ledger.styles import attributes_of
from ledger.workbook import Workbook


def workbook_part(workbook: Workbook, plan: Plan) -> bytes:
    """The workbook part with the new sheets, grown names, and every formula to be calculated on opening."""
    xml = workbook.part(workbook.workbook_part)
    prefix = _prefix(xml, b"workbook")
    xml = with_ranges(xml, pairs_of(plan, workbook.workbook_part))
    if plan.new_sheets:
        xml = _with_sheets(xml, prefix, workbook, plan.new_sheets)
    return _recalculated(xml, prefix)


def _prefix(xml: bytes, root: bytes) -> bytes:
    found = re.search(rb"<((?:\w+:)?)" + root + rb"[\s>]", xml)
    return found[1] if found else b""


def _recalculated(xml: bytes, prefix: bytes) -> bytes:
    """The workbook part asking for every formula to be calculated on opening."""
    found = re.search(rb"<" + re.escape(prefix) + rb"calcPr(?=[\s/>])[^>]*>", xml)
    if found:
        tag = found[0]
        if b"fullCalcOnLoad=" in tag:
            tag = re.sub(rb"fullCalcOnLoad=\"[^\"]*\"", b'fullCalcOnLoad="1"', tag)
        else:
            end = len(tag) - (2 if tag.endswith(b"/>") else 1)
            tag = tag[:end].rstrip() + b' fullCalcOnLoad="1"' + tag[end:]
        return xml[: found.start()] + tag + xml[found.end() :]
    for name in (b"definedNames", b"externalReferences", b"functionGroups", b"sheets"):
        closing = b"</" + prefix + name + b">"
        if closing in xml:
            at = xml.index(closing) + len(closing)
            return xml[:at] + b"<" + prefix + b'calcPr fullCalcOnLoad="1"/>' + xml[at:]
    raise BookRefused("The workbook lists no sheets.")


def _with_sheets(xml: bytes, prefix: bytes, workbook: Workbook, sheets: Sequence[NewSheet]) -> bytes:
    """The new sheets listed in their places; what counts sheets by their place follows."""
    p = re.escape(prefix)
    listed = list(re.finditer(rb"<" + p + rb"sheet\s[^>]*?(?:/>|></" + p + rb"sheet>)", xml))
    elements = [found[0] for found in listed]
    relation = re.search(rb"\s(\w+):id=\"", elements[0])
    space = relation[1] if relation else b"r"
    # a program may declare the prefix at every sheet instead of once above them
    declared = re.search(rb"\sxmlns:" + space + rb"=\"[^\"]*\"", elements[0])
    numbers = [int(attributes_of(element)["sheetId"]) for element in elements]
    ids = _relation_ids(workbook, sheets)
    order: list[int | None] = list(range(len(elements)))
    for sheet in sorted(sheets, key=lambda sheet: sheet.position):
        name = quoteattr(sheet.name).encode()
        number = max(numbers) + 1
        numbers.append(number)
        element = b'<%ssheet%s name=%s sheetId="%d" %s:id="%s"/>' % (
            prefix,
            declared[0] if declared else b"",
            name,
            number,
            space,
            ids[sheet.name].encode(),
        )
        elements.insert(sheet.position, element)
        order.insert(sheet.position, None)
    moved = {old: new for new, old in enumerate(order) if old is not None}
    xml = xml[: listed[0].start()] + b"".join(elements) + xml[listed[-1].end() :]

    def followed(found: re.Match[bytes]) -> bytes:
        index = int(found[2])
        return found[1] + str(moved.get(index, index)).encode() + b'"'

    def in_tag(tag: re.Match[bytes]) -> bytes:
        return re.sub(rb"(\s(?:localSheetId|activeTab|firstSheet)=\")(\d+)\"", followed, tag[0])

    xml = re.sub(rb"<" + p + rb"(?:definedName|workbookView)\s[^>]*>", in_tag, xml)
    names = b"".join(
        b'<%sdefinedName name=%s localSheetId="%d">%s</%sdefinedName>'
        % (prefix, quoteattr(name).encode(), sheet.position, escape(text).encode(), prefix)
        for sheet in sheets
        for name, text in sheet.names
    )
    return _sorted_names(xml, prefix, names) if names else xml


def _sorted_names(xml: bytes, prefix: bytes, names: bytes) -> bytes:
    """New names among the book's own: Excel keeps names in the order of the alphabet."""
    p = re.escape(prefix)
    block = re.search(rb"(<" + p + rb"definedNames[^>]*>)(.*?)(</" + p + rb"definedNames>)", xml, re.DOTALL)
    if block is None:
        return xml
    element = re.compile(rb"<" + p + rb"definedName\s.*?</" + p + rb"definedName>", re.DOTALL)
    every = element.findall(block[2]) + element.findall(names)
    # stable: names of one kind stay in the order they had
    every.sort(key=lambda each: attributes_of(each).get("name", "").casefold())
    return xml[: block.start(2)] + b"".join(every) + xml[block.end(2) :]


def _relation_ids(workbook: Workbook, sheets: Sequence[NewSheet]) -> dict[str, str]:
    taken = {relation.id for relation in workbook.relations(workbook.workbook_part)}
    ids: dict[str, str] = {}
    number = 1
    for sheet in sheets:
        while f"rId{number}" in taken:
            number += 1
        ids[sheet.name] = f"rId{number}"
        taken.add(f"rId{number}")
    return ids


def workbook_relations(workbook: Workbook, plan: Plan) -> bytes:
    """Its relations, with the new sheets and without what is dropped."""
    part = workbook.workbook_part
    xml = workbook.part(relations_part(part))
    for relation in workbook.relations(part):
        if relation.target in plan.dropped:
            xml = re.sub(rb"<(?:\w+:)?Relationship\s[^>]*?\bId=\"" + relation.id.encode() + rb"\"[^>]*?/>", b"", xml)
    if not plan.new_sheets:
        return xml
    like = workbook.sheet(plan.new_sheets[0].like).part
    kind = next(relation.type for relation in workbook.relations(part) if relation.target == like)
    prefix = _prefix(xml, b"Relationships")
    ids = _relation_ids(workbook, plan.new_sheets)
    lines = b"".join(
        b'<%sRelationship Id="%s" Type=%s Target=%s/>'
        % (prefix, ids[sheet.name].encode(), quoteattr(kind).encode(), quoteattr("/" + sheet.part).encode())
        for sheet in plan.new_sheets
    )
    end = xml.rindex(b"</" + prefix + b"Relationships>")
    return xml[:end] + lines + xml[end:]


def content_types(workbook: Workbook, plan: Plan) -> bytes:
    """The list of content types, with the copies' and without what is dropped."""
    xml = workbook.part("[Content_Types].xml")
    prefix = _prefix(xml, b"Types")
    override = re.compile(rb"<(?:\w+:)?Override\s[^>]*?/>")
    kinds: dict[str, str] = {}
    for found in override.finditer(xml):
        attributes = attributes_of(found[0])
        kinds[attributes["PartName"].lstrip("/")] = attributes["ContentType"]
    xml = override.sub(
        lambda found: b"" if attributes_of(found[0])["PartName"].lstrip("/") in plan.dropped else found[0], xml
    )
    lines = b"".join(
        b"<%sOverride PartName=%s ContentType=%s/>"
        % (prefix, quoteattr("/" + copy).encode(), quoteattr(kinds[part]).encode())
        for sheet in plan.new_sheets
        for part, copy in sheet.parts
        if part in kinds
    )
    end = xml.rindex(b"</" + prefix + b"Types>")
    return xml[:end] + lines + xml[end:]


def relations_part(part: str) -> str:
    """The part that lists the relations of another."""
    return posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")
