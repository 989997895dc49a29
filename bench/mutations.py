"""Changes lines of `app` at random, one at a time in a copy, and says which of them the tests notice.

    python -m bench.mutations list [--count 60] [--seed 42]
    python -m bench.mutations run [--count 60] [--seed 42] [--only 3,17] [--tests FILE] [TESTS …]

The same count and seed give the same changes as long as `app` is the same. `--tests` names a JSON file of the tests
that are tried for each change before TESTS (its number -> a list of pytest's ids). A change that is not noticed has
no test, or changes nothing that anybody could see.
"""

import argparse
import ast
import compileall
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.guards import ROOT, copied

LIMIT_SECONDS = 900
"""A change may make a loop that never ends; that is noticed too."""
OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: the statement or expression `was` at `line` of `file` becomes `now`."""

    file: str
    line: int
    was: str
    now: str
    text: str
    """The whole file, changed."""


def sample(count: int, seed: int, app: Path = ROOT / "app") -> list[Mutation]:
    """So many changes, spread over the files by their lines; the history of the tables stays as it was."""
    chance = random.Random(seed)
    files = [path for path in sorted(app.rglob("*.py")) if "versions" not in path.parts]
    lines = [(path, number) for path in files for number in range(1, len(path.read_text().splitlines()) + 1)]
    found: dict[tuple[str, int], Mutation] = {}
    while len(found) < count:
        path, line = chance.choice(lines)
        possible = [each for each in mutations(path, app.parent) if each.line >= line]
        if possible:
            nearest = [each for each in possible if each.line == possible[0].line]
            chosen = chance.choice(nearest)
            found.setdefault((chosen.file, chosen.line), chosen)
    return [found[key] for key in sorted(found)]


def mutations(path: Path, root: Path) -> list[Mutation]:
    """Every change that can be made to a file, by lines."""
    source = path.read_text()
    made = []
    for old, new in _changes(ast.parse(source)):
        was, now = ast.get_source_segment(source, old), ast.unparse(ast.fix_missing_locations(new))
        if was is None or was == now:
            continue
        text = _replaced(source, old, now)
        made.append(Mutation(path.relative_to(root).as_posix(), old.lineno, was, now, text))
    return sorted(made, key=lambda each: each.line)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Pairs of a part of the module and what it may become; names, texts and types of parameters stay."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in (each for statement in function.body for each in ast.walk(statement)):
            yield from _changes_of(node)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield node, ast.Pass()


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]) if type(operator) in OPPOSITE:
            new.ops = [OPPOSITE[type(operator)]()]
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in OPPOSITE:
            new.op = OPPOSITE[type(operator)]()
        case ast.UnaryOp(op=ast.Not()):
            new = new.operand
        case ast.If(test=test) | ast.IfExp(test=test):
            node, new = node.test, ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            new.value = ast.Constant(None)
        case ast.Constant(value=bool() as value):
            new.value = not value
        case ast.Constant(value=int() | float() as value):
            new.value = value + 1
        case _:
            return
    yield node, new


def _replaced(source: str, old: ast.expr | ast.stmt, now: str) -> str:
    lines = source.splitlines(keepends=True)
    first, last = lines[old.lineno - 1].encode(), lines[old.end_lineno - 1].encode()
    start = b"".join(line.encode() for line in lines[: old.lineno - 1]) + first[: old.col_offset]
    end = last[old.end_col_offset :] + b"".join(line.encode() for line in lines[old.end_lineno :])
    within = f"({now})" if isinstance(old, ast.expr) else now
    return (start + within.encode() + end).decode()


def notice(mutation: Mutation, project: Path, tests: Sequence[str]) -> str:
    """The first of the tests that fails with the change made to a copy of the project; empty where none does."""
    target = project / mutation.file
    before = target.read_text()
    target.write_text(mutation.text)
    # With a cache a file that changed twice within a second could be taken for the one before.
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no", "-rfE"]
    how: dict[str, Any] = {"cwd": project, "env": environ, "capture_output": True, "text": True}
    try:
        done = subprocess.run([*command, "--assert=plain", *tests], timeout=LIMIT_SECONDS, check=False, **how)
    except subprocess.TimeoutExpired:
        return "does not end"
    finally:
        target.write_text(before)
    if done.returncode == 0:
        return ""
    named = [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return named[0] if named else f"pytest ends with {done.returncode}"


def main() -> None:
    """List the changes, or try them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("list", "run"))
    parser.add_argument("common", nargs="*", metavar="TESTS")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--only", type=lambda text: {int(each) for each in text.split(",")})
    parser.add_argument("--tests", type=Path, metavar="FILE")
    asked = parser.parse_args()
    own = json.loads(asked.tests.read_text()) if asked.tests else {}
    numbered = [
        (number, each)
        for number, each in enumerate(sample(asked.count, asked.seed), 1)
        if not asked.only or number in asked.only
    ]
    with tempfile.TemporaryDirectory() as folder:
        project = copied(Path(folder) / "copy") if asked.act == "run" else ROOT
        # What has been compiled before need not be for each change.
        compileall.compile_dir(project / "app", quiet=1)
        for number, each in numbered:
            said = ""
            if asked.act == "run":
                said = " | " + (notice(each, project, [*own.get(str(number), ()), *asked.common]) or "NOT NOTICED")
            print(
                f"{number} | {each.file}:{each.line} | `{short(each.was)}` → `{short(each.now)}`{said}", flush=True
            )


def short(text: str) -> str:
    """The text in a line, for a table."""
    return textwrap.shorten(" ".join(text.split()), 70, placeholder="…").replace("|", "\\|")


if __name__ == "__main__":
    main()
