"""What the README and the tool files promise of the project holds."""

import ast
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from agent.graph import build_graph
from agent.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("money", "ledger", "rag", "agent", "evaluation", "frame", "pages")


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def readme_section(title: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text.split(f"## {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def test_the_readme_tree_names_what_is_there_and_nothing_else() -> None:
    tree = readme_section("Where things are").split("```")[1]
    folders: list[str] = []
    named = set()
    for line in tree.splitlines()[1:]:
        match = re.match(r"^  ( *)(\S+)", line)
        if not match:
            continue
        depth = len(match[1]) // 2
        folders[depth:] = [match[2]]
        path = "".join(folders)
        assert (ROOT / path).exists(), f"the README names {path}, which is not there"
        named.add(path.rstrip("/"))
    top = {name.split("/")[0] for name in tracked()}
    usual = {
        ".gitignore",
        ".ci",
        ".env.example",
        "README.md",
        "pyproject.toml",
        "requirements.txt",
        "requirements-dev.txt",
    }
    assert top - usual <= named, f"the README does not name {sorted(top - usual - named)}"
    packages = {match[1] for name in tracked() if (match := re.match(r"((?:agent|frame|ledger)/[a-z]+)/", name))}
    assert packages <= named, f"the README does not name {sorted(packages - named)}"


def test_the_readme_draws_the_graph_as_it_runs() -> None:
    drawing = readme_section("How it is built").split("```mermaid\n")[1].split("```")[0]
    assert drawing.strip() == build_graph().get_graph().draw_mermaid(with_styles=False).strip()


def imported_modules(folders: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    for name in tracked():
        if name.endswith(".py") and (name.split("/")[0] in folders or name in folders):
            for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    return found


def requirement_names(file: str) -> set[str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {
        re.split(r"[\[<>=!~ ]", line)[0].lower().replace("_", "-") for line in lines if line and line[0] not in "#-"
    }


def test_each_library_that_the_program_imports_is_required_and_each_required_one_is_imported() -> None:
    own = {*PACKAGES, "app"}
    outside = {name for name in imported_modules((*PACKAGES, "app.py")) if name not in sys.stdlib_module_names | own}
    distributions = packages_distributions()
    needed = {dist.lower().replace("_", "-") for name in outside for dist in distributions.get(name, [name])}
    required = requirement_names("requirements.txt")
    brought_along = {
        "langchain-core",
        "starlette",
        "langgraph-checkpoint",
        "langgraph-prebuilt",
    }
    assert needed - brought_along <= required, f"imported and not required: {sorted(needed - brought_along - required)}"
    assert required <= needed, f"required and never imported: {sorted(required - needed)}"


def test_nothing_in_the_project_points_outside_it() -> None:
    pattern = re.compile(
        r"pypi\.org|pythonhosted|registry\.npmjs|deb\.debian\.org|/root/|/work/|\.\./shared|shared/(look|cases|data|tools)"
    )
    for name in tracked():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".yaml", ".json", ".example", ""} and path.is_file():
            if path == Path(__file__):
                continue
            hit = pattern.search(path.read_text(encoding="utf-8", errors="ignore"))
            assert not hit, f"{name} names {hit and hit[0]}"


def test_the_example_of_settings_lists_each_setting_once() -> None:
    example = re.findall(r"^#? ?([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.M)
    assert sorted(example) == sorted(PREFIX + name.upper() for name in Settings.model_fields)
