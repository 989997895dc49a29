"""Files and functions stay small enough to be read at once."""

import ast

from tests.architecture.source import APP, ENGINE, MIGRATIONS, ROOT, modules, nodes


def lengths() -> dict[str, int]:
    files = (path for folder in (APP, ENGINE) for path in folder.rglob("*.py") if MIGRATIONS not in path.parents)
    return {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}


def test_files_are_small() -> None:
    assert {path: length for path, length in lengths().items() if length > 400} == {}


def test_functions_are_short() -> None:
    functions = {
        f"{path}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, module in modules().items()
        for node in nodes(module)
        if isinstance(node, ast.FunctionDef)
    }
    assert {name: length for name, length in functions.items() if length > 50} == {}


def test_templates_are_small() -> None:
    templates = {str(path): len(path.read_text().splitlines()) for path in (ROOT / "templates").rglob("*.html")}
    assert {path: length for path, length in templates.items() if length > 150} == {}


def test_no_module_is_a_place_for_anything() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [path for path in modules() if path.rsplit("/", 1)[-1].removesuffix(".py") in vague] == []
