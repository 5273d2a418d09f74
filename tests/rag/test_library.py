"""A library: files go in, passages with their page come out, whatever happens in between."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from rag import Added, Filters, Library, Metadata, Refused
from rag.dense import Model

NOW = datetime(2026, 11, 30, 9, 0)
TAX = "# Slabs\n\nIncome up to ₹4,00,000 is not taxed in FY 2025-26.\n\n# Deduction\n\nTDS on rent is 2 per cent.\n"
BANK = "# Targets\n\nDomestic banks lend 40 per cent of net credit to the priority sector.\n"


class ByLetters:
    """An embedder whose vectors count letters: enough to be told apart, made in no time."""

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - 97] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


LETTERS = Model("letters", 26, ByLetters)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Library]:
    def library(model: Model | None = LETTERS) -> Library:
        return Library.open(tmp_path / "library", now=lambda: NOW, model=model)

    return library


def added(outcome: Added | Refused) -> Added:
    assert isinstance(outcome, Added), outcome
    return outcome


def test_a_question_finds_the_passage_with_its_file_page_and_heading(opened: Callable[..., Library]) -> None:
    library = opened()
    library.add(TAX.encode(), "tax.md")
    library.add(BANK.encode(), "banks.md")
    best = library.search("How much do banks lend to the priority sector?")[0]
    assert (best.file, best.page, best.heading) == ("banks.md", 1, "Targets")
    page = library.page(best.document, best.page)
    assert page is not None
    assert page.text[slice(*best.span)] == best.text


def test_abbreviations_years_and_percents_are_found_however_they_are_written(opened: Callable[..., Library]) -> None:
    library = opened(model=None)
    library.add(TAX.encode(), "tax.md")
    library.add(BANK.encode(), "banks.md")
    for question in ("tax deducted at source 2%", "income in FY2026", "what is untaxed in 2025-26", "400000"):
        assert library.search(question)[0].file == "tax.md", question


def test_the_same_bytes_again_change_nothing(opened: Callable[..., Library]) -> None:
    library = opened()
    first = added(library.add(TAX.encode(), "tax.md"))
    again = added(library.add(TAX.encode(), "tax.md"))
    assert again.outcome == "unchanged"
    assert library.documents() == (first.document,)


def test_a_changed_file_of_the_same_name_takes_the_place_of_the_old_one(opened: Callable[..., Library]) -> None:
    library = opened()
    library.add(TAX.encode(), "tax.md")
    outcome = added(library.add(TAX.replace("2 per cent", "5 per cent").encode(), "tax.md"))
    assert outcome.outcome == "replaced"
    assert [document.id for document in library.documents()] == [outcome.document.id]
    assert "5 per cent" in library.search("TDS on rent")[0].text


def test_a_deleted_document_leaves_nothing_behind(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened()
    document = added(library.add(TAX.encode(), "tax.md")).document
    assert library.remove(document.id)
    assert library.search("TDS on rent") == ()
    assert not list((tmp_path / "library" / "files").iterdir())
    assert not library.remove(document.id)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.pdf", "empty"),
        (b"<html>", "a.pdf", "none"),
        (b"\x00\x01\x02", "a.txt", "no text"),
        (b"MZ", "a.exe", "not read"),
        (b"%PDF-1.7 garbage", "a.pdf", "damaged"),
        (b"PK\x03\x04garbage", "a.docx", "damaged"),
        (b"  \n", "a.txt", "no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(
    opened: Callable[..., Library], data: bytes, name: str, said: str
) -> None:
    library = opened()
    outcome = library.add(data, name)
    assert isinstance(outcome, Refused)
    assert said in outcome.sentence
    assert library.documents() == ()


def test_filters_hold_back_what_is_of_another_kind(opened: Callable[..., Library]) -> None:
    library = opened()
    library.add(TAX.encode(), "tax.md", Metadata(domain="tax", jurisdiction="IN", tax_year="2025"))
    library.add(BANK.encode(), "banks.md", Metadata(domain="banking"))
    assert {one.file for one in library.search("per cent", Filters(domain="tax"))} == {"tax.md"}
    assert library.search("per cent", Filters(tax_year="2019")) == ()
    assert library.search("per cent", Filters(tables_only=True)) == ()


def test_what_a_document_is_can_be_changed_and_is_kept(opened: Callable[..., Library]) -> None:
    document = added(opened().add(BANK.encode(), "banks.md")).document
    opened().describe(document.id, Metadata(title="Lending norms", period="FY2024-25"))
    again = opened().document(document.id)
    assert again is not None
    assert (again.title, again.metadata.period) == ("Lending norms", "FY2024-25")
    assert opened().search("lending norms")[0].document == document.id


def test_words_find_a_document_whose_vectors_are_not_made_yet(opened: Callable[..., Library]) -> None:
    library = opened()
    document = added(library.add(BANK.encode(), "banks.md", vectors=False)).document
    assert (document.state, document.embedded) == ("lexical", 0)
    assert library.search("priority sector")[0].dense is None
    library.resume()
    assert library.search("priority sector")[0].dense is not None


def test_one_small_document_is_enough_to_find_something(opened: Callable[..., Library]) -> None:
    library = opened(model=None)
    library.add(b"The repo rate is 6.5 per cent.", "rate.txt")
    assert library.search("repo rate")[0].lexical > 0
