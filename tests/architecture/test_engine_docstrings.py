"""Public functions of the engine say what they take, give and raise, in the sections of numpydoc."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_public(body: Sequence[ast.stmt], *, in_class: bool = False) -> Iterator[tuple[Function, bool]]:
    for each in body:
        if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
            yield from list_public(each.body, in_class=True)
        elif isinstance(each, Function) and not each.name.startswith("_"):
            yield each, in_class


def is_attribute(function: Function) -> bool:
    return any("property" in ast.unparse(each) for each in function.decorator_list)


def list_names(function: Function, *, in_class: bool) -> list[str]:
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args)]
    if in_class and "staticmethod" not in map(ast.unparse, function.decorator_list):
        names = names[1:]
    names += [f"*{given.vararg.arg}"] if given.vararg else []
    return [name for name in (*names, *(each.arg for each in given.kwonlyargs)) if not name.startswith("_")]


def read_sections(docstring: str) -> dict[str, str]:
    parts = re.split(r"^([A-Z]\w+)\n-{4,}\n", docstring, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def list_faults(function: Function, *, in_class: bool) -> Iterator[str]:
    sections = read_sections(ast.get_docstring(function) or "")
    lines = re.findall(r"^(\S[^:\n]*) : ", sections.get("Parameters", ""), re.MULTILINE)
    documented = [name.strip() for line in lines for name in line.split(",")]
    if documented != (names := list_names(function, in_class=in_class)):
        yield f"documents {documented} of {names}"
    gives = function.returns is not None and ast.unparse(function.returns) not in ("None", "NoReturn")
    if gives != bool({"Returns", "Yields"} & sections.keys()):
        yield "does not say what it returns" if gives else "returns nothing"


def test_public_functions_document_each_parameter_and_what_they_return() -> None:
    functions = [
        (f"{path.relative_to(ROOT)}:{function.lineno} {function.name}", function, in_class)
        for path in sorted(ENGINE.rglob("*.py"))
        for function, in_class in list_public(ast.parse(path.read_text()).body)
        if not is_attribute(function)
    ]
    faults = [
        f"{place} {fault}"
        for place, function, in_class in functions
        for fault in list_faults(function, in_class=in_class)
    ]
    assert len(functions) > 500
    assert faults == []
