"""GET /api/v1/openapi.json: a valid OpenAPI 3.1 document whose examples work when they are sent."""

import json
from io import BytesIO

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from app.api.v1.operations import OPERATIONS
from tests.conformance.contract import Contract, documented_path
from tests.conftest import PHOTO, Api

# The uploadUrl of step 2 is opaque and signed, so it has no path here.
ENDPOINTS = {
    ("post", "/orders/upload-urls"),
    ("post", "/orders/from-uploads"),
    ("post", "/orders"),
    ("post", "/orders/quote"),
    ("get", "/jobs/{jobId}/status"),
    ("get", "/downloads/{jobId}"),
    ("get", "/user/credits"),
}


def operations(contract: Contract) -> dict[tuple[str, str], dict]:
    """Every operation by method and path."""
    paths = contract.document["paths"].items()
    return {(method, path): operation for path, item in paths for method, operation in item.items()}


def content(contract: Contract, path: str) -> dict:
    """Schema and example of the body that POST to the path takes."""
    (media,) = operations(contract)["post", path]["requestBody"]["content"].values()
    return media


def test_it_is_public_json(api: Api) -> None:
    answer = api.client.get("/api/v1/openapi.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")


def test_it_is_valid_openapi_3_1(contract: Contract) -> None:
    assert contract.document["openapi"].startswith("3.1.")
    assert list(OpenAPIV31SpecValidator(contract.document).iter_errors()) == []


def test_it_has_every_endpoint_of_the_interface_that_exists(contract: Contract) -> None:
    assert operations(contract).keys() >= ENDPOINTS


def test_it_has_every_route_there_is_and_no_other(app, contract: Contract) -> None:
    routes = {
        (method.lower(), documented_path(rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/v1/") and not rule.rule.endswith("/openapi.json")
    }
    assert operations(contract).keys() == routes


def test_every_operation_needs_the_key_and_says_what_refusals_there_are(contract: Contract) -> None:
    assert contract.document["security"] == [{"apiKey": []}]
    assert contract.document["components"]["securitySchemes"]["apiKey"] == {"type": "http", "scheme": "bearer"}
    for name, operation in operations(contract).items():
        public = name[1].startswith("/rules")
        by_token = [{"clientToken": []}] if name[1] == "/uploads" else None
        assert operation.get("security") == ([] if public else by_token), name
        assert ({"401", "403"} <= operation["responses"].keys()) is not public
        assert {"200", "201", "202"} & operation["responses"].keys()
        if name[0] == "post":
            assert "400" in operation["responses"], "its Idempotency-Key may be wrong"
        if "requestBody" in operation:
            assert {"400", "413"} <= operation["responses"].keys()


def test_every_operation_has_a_name_of_its_own_and_a_summary(contract: Contract) -> None:
    found = list(operations(contract).values())
    assert len({operation["operationId"] for operation in found}) == len(found)
    assert all(operation["summary"] for operation in found)


def test_every_example_is_valid_by_its_own_schema(contract: Contract) -> None:
    bodies = [operation for operation in operations(contract).values() if "requestBody" in operation]
    assert len(bodies) >= 4
    for operation in bodies:
        for media in operation["requestBody"]["content"].values():
            assert list(contract.validator(media["schema"]).iter_errors(media["example"])) == []


def test_every_answer_has_an_example_that_is_just_what_its_model_would_send(contract: Contract) -> None:
    documented = operations(contract)
    for name, operation in OPERATIONS.items():
        answers = documented[operation.method.lower(), operation.path]["responses"]
        example = answers[str(operation.status)]["content"]["application/json"]["example"]
        # The mode is no field of the model: it is added to every answer to a key.
        assert example.pop("livemode", None) is (True if operation.scope or operation.for_clients else None), name
        assert json.loads(operation.answer.model_validate(example).to_json()) == example, name


def test_it_says_how_a_photo_is_put(contract: Contract) -> None:
    told = contract.document["paths"]["/orders/upload-urls"]["post"]["description"]
    assert all(word in told for word in ("PUT", "ETag", "413", "415", "409", "410", "403"))


def test_an_example_without_ids_works_as_it_is(api: Api, contract: Contract) -> None:
    path = "/orders/upload-urls"
    assert api.post(path, json=content(contract, path)["example"]).status_code == 200


@pytest.mark.parametrize(("path", "status"), [("/orders/from-uploads", 200), ("/orders/quote", 202)])
def test_the_example_of_an_order_works_with_real_ids(api: Api, contract: Contract, path: str, status: int) -> None:
    example = content(contract, path)["example"]
    files = api.upload(*([PHOTO] * len(example.get(f"{kind}Files", [])) for kind in ("interior", "exterior")))
    text = json.dumps(example).replace(example["uploadSessionId"], files["uploadSessionId"])
    answer = api.post(path, json=json.loads(text))
    assert answer.status_code == status, answer.text


def test_the_example_of_a_multipart_order_works_with_a_photo(api: Api, contract: Contract) -> None:
    example = content(contract, "/orders")["example"]
    photo = {f"{example['serviceType']}Photo0": (BytesIO(PHOTO), "front.jpg")}
    assert api.post("/orders", data={**example, **photo}).status_code == 200
