"""Each fact of the field lives in exactly one place."""

import ast
import importlib
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from app.api.v1.event_documents import HEADERS
from app.domain import errors, lifecycle
from app.domain.catalog import ENTRIES, Entry
from app.domain.events import EventName
from app.domain.lifecycle import Status
from app.domain.webhooks import new_secret
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers
from app.settings import Settings
from app.web.error_examples import EXAMPLES
from app.web.errors import STATUS
from engine.canvas import Canvas, Declined
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests.architecture.source import ROOT, modules, nodes, spelt

FACTS = [
    pytest.param({each.value for each in Enhancement}, "engine/types/enhancements.py", id="enhancements"),
    pytest.param({each.value for each in EventName}, "domain/events.py", id="events"),
    pytest.param({each.value for each in Status} - {"approved", "failed"}, "domain/lifecycle.py", id="states"),
]


@pytest.mark.parametrize(("words", "home"), FACTS)
def test_a_word_of_the_field_is_spelt_in_one_module(words: set[str], home: str) -> None:
    assert words <= spelt()[home]
    others = {path: words & found for path, found in spelt().items() if path != home}
    assert {path: found for path, found in others.items() if found} == {}


def calls(module: ast.Module, name: str) -> int:
    return sum(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
        for node in nodes(module)
    )


def test_only_the_unit_of_work_commits() -> None:
    assert [path for path, module in modules().items() if calls(module, "commit")] == ["database.py"]


def writes_status(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(target, ast.Attribute) and target.attr == "status" for target in targets)
    named = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
        "values",
        "Job",
    )
    return named and any(keyword.arg == "status" for keyword in node.keywords)


def test_only_advance_writes_a_status() -> None:
    writers = {path for path, module in modules().items() if any(map(writes_status, nodes(module)))}
    assert writers == {"domain/lifecycle.py"}
    function = next(
        node
        for node in nodes(modules()["domain/lifecycle.py"])
        if isinstance(node, ast.FunctionDef) and any(map(writes_status, ast.walk(node)))
    )
    assert function.name == lifecycle.advance.__name__


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        path
        for path, module in modules().items()
        for node in nodes(module)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and ast.unparse(node.value) == "os"
    }
    assert readers == {"settings/__init__.py"}


def test_every_setting_stands_in_its_table() -> None:
    table = (ROOT / "docs" / "configuration.md").read_text()
    missing = [name.upper() for name in Settings.model_fields if f"| `{name.upper()}` |" not in table]
    assert missing == []


def every_refusal(kind: type[errors.Refusal] = errors.Refusal) -> set[type[errors.Refusal]]:
    return {each for child in kind.__subclasses__() for each in ({child} | every_refusal(child))}


def test_every_refusal_has_its_status_and_its_line_in_the_tree() -> None:
    assert every_refusal() == set(STATUS)
    assert [kind.__name__ for kind in STATUS if kind.__name__ not in (errors.__doc__ or "")] == []
    assert {kind for kind in STATUS if kind.for_programs} == set(EXAMPLES)


def test_every_enhancement_is_an_effect_of_the_engine_in_the_module_of_its_name() -> None:
    assert set(EFFECTS) == set(ENTRIES)
    for name, effect in EFFECTS.items():
        assert importlib.import_module(f"engine.effects.{name}").EFFECT is effect
        assert ENTRIES[name].generative == (effect.by_server is not None)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES.values() if entry.generative])
def test_what_a_generative_server_may_make_is_no_less_on_offer_without_one(entry: Entry) -> None:
    pixels = np.zeros((8, 8, 3), np.uint8)
    canvas = Canvas(pixels, Scene(pixels, ColorProfile(), ""), EditRequest(enhancements=(entry.id,)))
    with pytest.raises(Declined) as declined:
        EFFECTS[entry.id].apply(canvas)
    assert declined.value.reason is not Reason.NOT_AVAILABLE


def test_suppressions_are_few_and_each_has_its_reason() -> None:
    marks = ("# noqa", "# type: ignore")
    lines = [
        line
        for folder in ("app", "engine", "tests", "bench", "deploy")
        for path in (ROOT / folder).rglob("*.py")
        if path != Path(__file__)
        for line in path.read_text().splitlines()
        if any(mark in line for mark in marks)
    ]
    assert len(lines) <= 10, "\n".join(lines)
    assert [line for line in lines if "(" not in line.rsplit("#", 1)[1] and "  # " not in line] == []


def test_the_headers_of_a_delivery_are_those_that_are_documented() -> None:
    label = DeliveryLabel(
        "dlv_1", "evt_1", EventName.WEBHOOK_TEST, attempt=2, by_hand=True, sent_at=datetime.now(UTC)
    )
    secret = new_secret()
    made = headers(label, b"{}", Secrets(secret, (secret,)))
    assert made.keys() - {"Content-Type"} == HEADERS.keys()


def test_no_two_public_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path, module in modules().items():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}
