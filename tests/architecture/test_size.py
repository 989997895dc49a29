"""Files and functions stay small enough to be read at once; docstrings do not count."""

import ast

from tests.architecture.source import APP, ENGINE, MIGRATIONS, ROOT, modules, nodes

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstring_lines(tree: ast.AST) -> int:
    found = (each for each in ast.walk(tree) if isinstance(each, Documented))
    return sum(ast.get_docstring(each, clean=False).count("\n") for each in found if ast.get_docstring(each))


def lengths() -> dict[str, int]:
    files = (path for folder in (APP, ENGINE) for path in folder.rglob("*.py") if MIGRATIONS not in path.parents)
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in files}
    return {path: len(text.splitlines()) - docstring_lines(ast.parse(text)) for path, text in texts.items()}


def test_files_are_small() -> None:
    assert {path: length for path, length in lengths().items() if length > 385} == {}


def test_functions_are_short() -> None:
    functions = {
        f"{path}:{node.name}": (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node)
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
