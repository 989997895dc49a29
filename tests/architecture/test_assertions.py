"""Every test proves something: it asserts, itself or by functions and methods of the tests that do."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.source import APP, modules_of_tests

FAILING = frozenset({"raises", "warns", "fail"})
"""What of pytest fails a test that does not see what it should; of Playwright it is `expect`."""
METHOD, FIXTURE = "a method", "a fixture"
Name = tuple[str, str]
"""Of a function: the module and its name; of a method or a fixture METHOD or FIXTURE in place of the module."""


@cache
def names_of_the_app() -> set[str]:
    """Every function and method of the app, by its bare name."""
    return {
        name for path in APP.rglob("*.py") for name in re.findall(r"^ *def (\w+)", path.read_text(), re.MULTILINE)
    }


def classes_of(module: ast.Module) -> list[ast.ClassDef]:
    return [node for node in module.body if isinstance(node, ast.ClassDef)]


def functions_of(owner: ast.Module | ast.ClassDef) -> list[ast.FunctionDef]:
    return [node for node in owner.body if isinstance(node, ast.FunctionDef)]


def definitions(name: str, module: ast.Module) -> Iterator[tuple[Name, ast.FunctionDef]]:
    """Every function, fixture and method of a module; what is defined inside a function belongs to that one."""
    for node in functions_of(module):
        yield (name, node.name), node
        if any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list):
            yield (FIXTURE, node.name), node
    for owner in classes_of(module):
        yield from (((METHOD, node.name), node) for node in functions_of(owner))


def imported(module: ast.Module) -> dict[str, str]:
    """What each imported name stands for: `from tests import apps` makes tests.apps of apps."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in module.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def own_methods(function: ast.FunctionDef, classes: set[str]) -> set[str]:
    """The parameters whose methods are those of the tests: self, and what is annotated with a class of theirs."""
    parameters = [*function.args.args, *function.args.kwonlyargs]
    return {
        each.arg for each in parameters if each.arg == "self" or ast.unparse(each.annotation or each) in classes
    }


def called(function: ast.FunctionDef, name: str, imports: dict[str, str], classes: set[str]) -> Iterator[Name]:
    """Everything of the tests that the function may call. What the app has too is called upon a parameter alone."""
    own = own_methods(function, classes)
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=callee)):
                home, _, own_name = imports.get(callee, f"{name}.{callee}").rpartition(".")
                yield from ((home, own_name), (FIXTURE, callee))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=callee)) if owner in imports:
                yield imports[owner], callee
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=callee)) if owner in own:
                yield METHOD, callee
            case ast.Call(func=ast.Attribute(attr=callee)) if callee not in names_of_the_app():
                yield METHOD, callee


def asserts(function: ast.FunctionDef) -> bool:
    """Whether the function itself can fail a test."""
    return any(isinstance(node, ast.Assert | ast.Call) and _fails(node) for node in ast.walk(function))


def _fails(node: ast.Assert | ast.Call) -> bool:
    match node:
        case ast.Assert() | ast.Call(func=ast.Name(id="expect")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="pytest"), attr=attribute)):
            return attribute in FAILING
    return False


def unproven(tests: dict[str, ast.Module]) -> list[str]:
    """The tests of these modules that only a fault in what they call can fail."""
    classes = {node.name for each in tests.values() for node in classes_of(each)}
    proving: set[Name] = set()
    calls: dict[tuple[Name, int], set[Name]] = {}
    for module_name, module in tests.items():
        imports = imported(module)
        for name, function in definitions(module_name, module):
            if asserts(function):
                proving.add(name)
            else:
                calls[name, id(function)] = set(called(function, module_name, imports, classes))
    while more := {name for (name, _), callees in calls.items() if callees & proving} - proving:
        proving |= more
    return sorted(".".join(name) for name, _ in calls if name[1].startswith("test_") and name not in proving)


def test_every_test_asserts() -> None:
    tests = {
        f"tests.{path.removesuffix('.py').replace('/', '.')}": each for path, each in modules_of_tests().items()
    }
    assert len(tests) > 100
    assert unproven(tests) == []


HELPERS = """
def holds(value):
    assert value
def passes_on(value):
    holds(value)
def does_nothing(value):
    print(value)
class Person:
    def open(self): passes_on(self)
    def look_around(self): self.open()
    def leave(self): does_nothing(self)
@pytest.fixture
def door():
    def opened(): assert True
    return opened
@pytest.fixture
def wall():
    assert True
"""
PROVING = [
    "assert 1",
    "with pytest.raises(ValueError): act()",
    "expect(page.locator('x')).to_be_visible()",
    "passes_on(1)",
    "helpers.passes_on(1)",
    "person.open()",
    "Person().look_around()",
    "door()",
    "for each in (1, 2):\n  with subtests.test(): holds(each)",
]
UNPROVEN = [
    "pass",
    "act()",
    "does_nothing(1)",
    "helpers.does_nothing(1)",
    "person.leave()",
    "container.open()",
    "page.click()",
    "wall",
]


def made_up(body: str) -> dict[str, ast.Module]:
    """A module of helpers, and one with a test of this body."""
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    imports = "from tests import helpers\nfrom tests.helpers import Person, does_nothing, holds, passes_on\n"
    test = f"def test_it(door, wall, person: Person, container: Container):\n{lines}\n"
    return {"tests.helpers": ast.parse(HELPERS), "tests.test_x": ast.parse(imports + test)}


@pytest.mark.parametrize("body", PROVING)
def test_a_test_that_asserts_in_some_way_is_let_through(body: str) -> None:
    assert unproven(made_up(body)) == []


@pytest.mark.parametrize("body", UNPROVEN)
def test_a_test_that_asserts_nothing_is_named(body: str) -> None:
    assert unproven(made_up(body)) == ["tests.test_x.test_it"]
