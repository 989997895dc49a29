"""The generated part of the Python client is what the OpenAPI document gives."""

import ast
import inspect
import sys
from copy import deepcopy

import generate_calls
from brightlist import Brightlist, models
from brightlist.version import __version__
from brightlist.wire import Model

from engine.version import RELEASE
from tests.conformance.contract import Contract


def test_it_is_what_the_document_gives(contract: Contract) -> None:
    stale = [path.name for path, _ in generate_calls.list_changes(contract.document)]
    assert stale == [], "the API has changed: run .venv/bin/python -m tests.clients.regenerate_python"


def test_every_operation_has_a_call_but_the_one_that_sends_photos_itself(
    contract: Contract, client: Brightlist
) -> None:
    resources = [each for each in vars(client).values() if hasattr(each, "_transport")]
    calls = {name for each in resources for name, _ in inspect.getmembers(type(each), inspect.isfunction)}
    operations = {
        operation["operationId"] for item in contract.document["paths"].values() for operation in item.values()
    }
    assert operations - calls == {"create_order"}


def test_an_enumeration_that_is_open_by_a_list_of_known_values_is_read_as_one(contract: Contract) -> None:
    document = deepcopy(contract.document)
    status = document["components"]["schemas"]["Status"]
    status["x-extensible-enum"] = status.pop("enum", None) or status["x-extensible-enum"]
    assert generate_calls.generate(document) == generate_calls.generate(contract.document)


def test_a_changed_document_gives_other_text(contract: Contract) -> None:
    document = deepcopy(contract.document)
    document["components"]["schemas"]["OrderResult"]["properties"]["isLucky"] = {"type": "boolean"}
    assert [path.name for path, _ in generate_calls.list_changes(document)] == ["models.py"]
    assert "is_lucky: bool | None = None" in generate_calls.generate(document)["models.py"]


def test_every_example_of_the_document_is_read_and_written_as_it_was(contract: Contract) -> None:
    read = 0
    for item in contract.document["paths"].values():
        for operation in item.values():
            for answer in operation["responses"].values():
                content = answer.get("content", {}).get("application/json", {})
                name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
                if "example" in content and hasattr(models, name):
                    kind: type[Model] = getattr(models, name)
                    assert kind.read(content["example"]).raw == content["example"]
                    read += 1
    assert read > 40


def test_the_client_is_of_the_release_and_imports_nothing_of_the_service() -> None:
    assert __version__ == RELEASE
    files = [each for each in generate_calls.PACKAGE.rglob("*.py") if each.name != "mcp_server.py"]
    modules = {
        name.partition(".")[0]
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert modules - sys.stdlib_module_names == {"brightlist", "requests", "click"}
