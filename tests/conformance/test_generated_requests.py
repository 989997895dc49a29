"""Requests made from the OpenAPI document, good and bad: no fault of ours, no answer that is not documented."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.conformance.test_openapi_document import ENDPOINTS
from tests.conftest import Api

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.long
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), sorted(ENDPOINTS))
def test_generated_requests_get_documented_answers(
    api: Api, app, contract, method: str, path: str, mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    # Schemathesis asks for gzip by itself, and reads none where no network is between.
    secret = api.post("/client-tokens", {}).json["token"] if path == "/uploads" else api.secret
    headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
    answered: list[int] = []

    @settings(max_examples=15, database=None, suppress_health_check=list(HealthCheck))
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def hold(case: schemathesis.Case) -> None:
        answered.append(case.call_and_validate(headers=headers, checks=CHECKS).status_code)

    hold()
    assert answered, "no request was made"
    assert max(answered) < 500
