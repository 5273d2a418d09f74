"""The command line: ask, replay, backup, erase."""

import json
import zipfile
from pathlib import Path

import pytest

from agent import Settings, Workbench
from agent.__main__ import main

DAY = ["--today", "2026-11-30"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_asking_prints_the_reply_or_the_whole_turn(capsys: pytest.CaptureFixture[str], home: Path, book: Path) -> None:
    where = ["--home", str(home), "--book", str(book), *DAY]
    code, out, _ = run(capsys, "ask", "what is my bank balance?", *where)
    assert (code, "Bank has ₹75,250.00." in out) == (0, True)
    code, out, _ = run(capsys, "ask", "tea 20 cash", "--json", *where)
    assert json.loads(out)["batch"][0]["amount"] == "20.00"
    code, out, _ = run(capsys, "ask", "hmm maybe", *where)
    assert "TEA" in out


def test_replaying_gives_a_turn_a_line(
    capsys: pytest.CaptureFixture[str], home: Path, book: Path, tmp_path: Path
) -> None:
    lines = [
        {"thread": "a", "message": "tea 20 cash", "request": "1", "book": str(book), "today": "2026-11-30"},
        {"thread": "a", "message": "yes", "request": "1", "book": str(book), "today": "2026-11-30"},
        {"thread": "a", "message": "yes", "request": "2", "book": str(book), "today": "2026-11-30"},
    ]
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in lines))
    code, out, _ = run(capsys, "replay", str(script), "--home", str(home), "--model", "none")
    turns = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [len(turn["written"]) for turn in turns] == [0, 0, 1]
    assert "another message" in turns[1]["reply"]


def test_a_line_that_is_no_message_is_named(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"thread": "a"}\n')
    code, _, err = run(capsys, "replay", str(script), "--home", str(home))
    assert (code, "Line 1" in err) == (1, True)


def test_a_model_that_is_not_built_is_refused(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    code, _, err = run(capsys, "ask", "hi", "--home", str(home), "--model", "google_genai:gemini-3.5-flash")
    assert (code, "no language model" in err) == (1, True)


def test_wrong_usage_is_two(home: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ask"])
    assert ended.value.code == 2


def test_everything_is_backed_up_and_erased(
    capsys: pytest.CaptureFixture[str], home: Path, book: Path, tmp_path: Path
) -> None:
    where = ["--home", str(home), *DAY]
    run(capsys, "ask", "tea 20 cash", "--book", str(book), *where)
    run(capsys, "ask", "yes", "--book", str(book), *where)
    (home / "mine.txt").write_text("not Munshi's")
    target = tmp_path / "backup.zip"
    assert run(capsys, "backup", str(target), "--home", str(home))[0] == 0
    names = zipfile.ZipFile(target).namelist()
    assert {"munshi.sqlite", "checkpoints.sqlite"} <= set(names)
    assert any(name.startswith("books/") and name.endswith("journal.jsonl") for name in names)
    assert run(capsys, "backup", str(target), "--home", str(home))[0] == 1

    code, _, err = run(capsys, "erase", "--home", str(home))
    assert (code, "--yes" in err, (home / "munshi.sqlite").exists()) == (1, True, True)
    assert run(capsys, "erase", "--yes", "--home", str(home))[0] == 0
    assert [path.name for path in home.iterdir()] == ["mine.txt"]
    assert book.exists()


def test_a_backup_can_be_gone_on_with(
    capsys: pytest.CaptureFixture[str], home: Path, book: Path, tmp_path: Path
) -> None:
    run(capsys, "ask", "tea 20 cash", "--home", str(home), "--book", str(book), *DAY)
    target = tmp_path / "backup.zip"
    run(capsys, "backup", str(target), "--home", str(home))
    other = tmp_path / "restored"
    zipfile.ZipFile(target).extractall(other)
    _, out, _ = run(capsys, "ask", "yes", "--json", "--home", str(other), "--book", str(book), *DAY)
    assert len(json.loads(out)["written"]) == 1


def test_the_sample_is_the_first_book_and_never_takes_the_place_of_a_chosen_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    code, out, _ = run(capsys, "sample", "--home", str(home), "--today", "2026-11-30")
    assert code == 0
    assert "Sample.xlsx" in out
    with Workbench.open(Settings(home=home)) as workbench:
        blank = workbench.choose_book(workbench.blank(2026)).path
    assert str(blank) in run(capsys, "sample", "--home", str(home))[1]


# plain mistakes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ask", "hello", "--home", "{file}"], "which is a file. Name a folder."),
        (["ask", "hello", "--home", "{file}/below"], "cannot be used"),
        (["sample", "--home", "{file}"], "which is a file. Name a folder."),
        (["backup", "{missing}/b.zip", "--home", "{folder}"], "cannot be written"),
        (["ask", "hello", "--book", "{missing}.xlsx", "--home", "{folder}"], "There is no book at"),
        (["replay", "{missing}.jsonl", "--home", "{folder}"], "cannot be read"),
    ],
)
def test_a_plain_mistake_is_answered_with_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    places = {name: str(tmp_path / name) for name in ("file", "folder", "missing")}
    code, _, err = run(capsys, *(argument.format(**places) for argument in arguments))
    assert (code, len(err.strip().splitlines())) == (1, 1)
    assert sentence in err


@pytest.mark.parametrize("url", ["foo", "nosuch://h/db", "postgresql://me:secret@127.0.0.1:1/db"])
def test_a_database_that_cannot_be_used_is_answered_with_one_sentence(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("MUNSHI_DATABASE_URL", url)
    code, _, err = run(capsys, "ask", "hello", "--home", str(home))
    assert (code, len(err.strip().splitlines())) == (1, 1)
    assert "MUNSHI_DATABASE_URL cannot be used" in err
    assert "secret" not in err


def test_a_store_that_is_no_database_is_answered_with_one_sentence(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    home.mkdir()
    (home / "munshi.sqlite").write_text("no database at all, but long enough to be taken for one" * 40)
    code, _, err = run(capsys, "ask", "hello", "--home", str(home))
    assert (code, len(err.strip().splitlines())) == (1, 1)
    assert "cannot be opened" in err


def test_nothing_is_erased_while_munshi_runs_and_a_lock_left_behind_holds_nobody_off(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    with Workbench.open(Settings.read({}, home=home)):
        code, _, err = run(capsys, "erase", "--yes", "--home", str(home))
        assert code == 1
        assert "Munshi is running" in err
        assert (home / "munshi.sqlite").exists()
    (home / "locks" / "open" / "of-one-that-died.lock").touch()
    code, out, _ = run(capsys, "erase", "--yes", "--home", str(home))
    assert code == 0
    assert "munshi.sqlite" in out
    assert not home.exists()


def test_help_says_what_a_file_to_replay_looks_like(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "JSON lines" in said
    assert "keys thread and message" in said
