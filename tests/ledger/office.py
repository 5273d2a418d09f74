"""LibreOffice as the second opinion: every formula of a book calculated anew, and its value read back."""

import subprocess
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl

SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


def recalculated(paths: Sequence[Path], folder: Path) -> Mapping[Path, Mapping[str, object]]:
    """The values of all cells (`NOVEMBER!H6`) of each book after LibreOffice calculated every formula; one start for all.

    The books must have different file names. `folder` is a fresh one: it gets the profile and the recalculated files.
    """
    profile, results = folder / "profile", folder / "results"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(SETTINGS, encoding="utf-8")
    results.mkdir()
    subprocess.run(
        [
            "soffice",
            f"-env:UserInstallation={profile.as_uri()}",
            *("--headless", "--norestore", "--convert-to", "xlsx", "--outdir", str(results)),
            *map(str, paths),
        ],
        check=True,
        capture_output=True,
        timeout=240,
    )
    return {path: cell_values((results / path.name).with_suffix(".xlsx")) for path in paths}


def cell_values(path: Path) -> Mapping[str, object]:
    """The value every cell of a file shows, a formula's cached one included."""
    with warnings.catch_warnings():
        # LibreOffice writes a print area of whole columns as $B:$M, which openpyxl cannot read
        warnings.filterwarnings("ignore", message="Print area cannot be set")
        book = openpyxl.load_workbook(path, data_only=True)
    return {
        f"{sheet.title}!{cell.coordinate}": cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


def formulas(path: Path) -> Mapping[str, str]:
    """Every formula of a file by its cell."""
    book = openpyxl.load_workbook(path)
    return {
        f"{sheet.title}!{cell.coordinate}": cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def differences(path: Path, fresh: Mapping[str, object]) -> list[str]:
    """Each formula whose cached value in the file is not what LibreOffice calculates, as a sentence."""
    cached = cell_values(path)
    found = []
    for cell, formula in formulas(path).items():
        had, has = cached.get(cell), fresh.get(cell)
        numbers = isinstance(had, int | float) and isinstance(has, int | float)
        if (abs(had - has) > 1e-6) if numbers else (had != has):
            found.append(f"{cell} {formula} shows {had!r}, LibreOffice finds {has!r}")
    return found
