"""The source code as data, for the guards."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
ENGINE = ROOT / "engine"
TESTS = ROOT / "tests"
MIGRATIONS = APP / "migrations" / "versions"


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the app by its path from there, but for the migrations, which keep what was; the engine's."""
    paths = (path for path in sorted(APP.rglob("*.py")) if MIGRATIONS not in path.parents)
    served = {str(path.relative_to(APP)): ast.parse(path.read_text()) for path in paths}
    return served | {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in ENGINE.rglob("*.py")}


@cache
def modules_of_tests() -> dict[str, ast.Module]:
    """Every module of the tests by its path from there."""
    return {str(path.relative_to(TESTS)): ast.parse(path.read_text()) for path in sorted(TESTS.rglob("*.py"))}


@cache
def nodes(module: ast.Module) -> Sequence[ast.AST]:
    """All that is in a module, found once: to walk takes longer than to judge."""
    return tuple(ast.walk(module))


def texts(module: ast.Module) -> Iterator[str]:
    """Every string literal that is no docstring."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


@cache
def spelt() -> dict[str, set[str]]:
    """The string literals of every module, and all that stands in quotes in every template and script."""
    in_modules = {path: {*texts(module)} for path, module in modules().items()}
    return in_modules | {path: quoted(page) for path, page in pages().items()}


def pages() -> dict[str, str]:
    """Every template and script of our own."""
    paths = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static" / "js").rglob("*.js")]
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def quoted(page: str) -> set[str]:
    """Everything that stands in quotes in a template or script."""
    return {text for pair in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", page) for text in pair}
