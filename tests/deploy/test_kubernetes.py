"""What is handed to Kubernetes: by its own schemas, and KEDA's queries by a database."""

import re
from datetime import UTC, datetime, timedelta

import kubernetes_validate
import pytest
from sqlalchemy import text, update

from app.container import Container
from app.domain.lifecycle import WorkState
from app.models import Photo
from engine.types.enhancements import WorkSize
from tests.conftest import PHOTO, Api, work
from tests.deploy import files

VERSION = "1.31"
OBJECTS = list(files.kubernetes())
SCALED = [each for each in OBJECTS if each["kind"] == "ScaledObject"]


def named(each: dict[str, dict[str, str]]) -> str:
    return f"{each['kind']} {each['metadata']['name']}"


@pytest.mark.parametrize("each", [each for each in OBJECTS if "keda" not in each["apiVersion"]], ids=named)
def test_every_object_is_what_kubernetes_takes(each: dict[str, object]) -> None:
    kubernetes_validate.validate(each, VERSION, strict=True)
    assert each["metadata"]


def test_every_pod_runs_as_nobody_on_a_root_file_system_that_it_cannot_write_to() -> None:
    for name, container in files.containers():
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"], name
        assert security["capabilities"] == {"drop": ["ALL"]}, name
        assert {each["mountPath"] for each in container["volumeMounts"]} == {"/var/lib/brightlist", "/tmp"}
    pods = [each["spec"]["template"]["spec"] for each in OBJECTS if each["kind"] in ("Deployment", "Job")]
    assert {pod["securityContext"]["runAsUser"] for pod in pods} == {10001}


def test_one_exporter_alone_tells_of_the_whole_service() -> None:
    exporters = {name: each["command"] for name, each in files.containers() if each["name"] == "metrics"}
    assert [name for name, words in exporters.items() if "--only-this-machine" not in words] == [
        "brightlist-sweeper"
    ]
    deployments = {each["metadata"]["name"] for each in OBJECTS if each["kind"] == "Deployment"}
    assert set(exporters) == deployments


def test_what_is_scaled_by_keda_has_no_number_of_its_own_and_a_database_to_ask() -> None:
    deployments = {each["metadata"]["name"]: each["spec"] for each in OBJECTS if each["kind"] == "Deployment"}
    (secret,) = [each for each in OBJECTS if each["kind"] == "Secret"]
    (keys,) = [each for each in OBJECTS if each["kind"] == "TriggerAuthentication"]
    (target,) = keys["spec"]["secretTargetRef"]
    assert target["name"] == secret["metadata"]["name"]
    assert target["key"] in secret["stringData"]
    assert SCALED
    for each in SCALED:
        assert "replicas" not in deployments[each["spec"]["scaleTargetRef"]["name"]]
        (trigger,) = each["spec"]["triggers"]
        assert trigger["type"] == "postgresql"
        assert trigger["authenticationRef"]["name"] == keys["metadata"]["name"]
        assert set(trigger["metadata"]) == {"query", "targetQueryValue", "activationTargetQueryValue"}


def asked(container: Container, name: str) -> float:
    """What KEDA is told."""
    (each,) = [each for each in SCALED if each["metadata"]["name"] == name]
    query = each["spec"]["triggers"][0]["metadata"]["query"]
    assert re.match(r"SELECT COALESCE\(", query)
    with container.database.read_session() as session:
        return float(session.scalar(text(query)))


def test_the_age_of_the_oldest_due_work_says_how_many_work(api: Api, container: Container) -> None:
    if container.database.engine.dialect.name != "postgresql":
        pytest.skip("KEDA asks PostgreSQL")
    assert asked(container, "brightlist-photos") == 0
    assert asked(container, "brightlist-rooms") == 0
    assert asked(container, "brightlist-previews") == 0
    api.order(interior=[PHOTO])
    real = datetime.now(UTC)
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(next_attempt_at=real - timedelta(seconds=90)))
    assert 89 < asked(container, "brightlist-photos") < 200
    assert asked(container, "brightlist-rooms") == 0, "no room is wanted"
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(work_size=WorkSize.HEAVY))
    assert 89 < asked(container, "brightlist-rooms") < 200
    assert asked(container, "brightlist-photos") == 0, "rooms bring no worker for the others"
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(work_size=WorkSize.LIGHT))
    with container.database.unit_of_work() as session:
        held = {"state": WorkState.WORKING, "claim_id": "c" * 32, "lease_until": real + timedelta(hours=1)}
        session.execute(update(Photo).values(**held))
    assert asked(container, "brightlist-photos") == 0.5, "what is worked on keeps its worker"
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(state=WorkState.WAITING, next_attempt_at=container.clock()))
    work(container)
    assert asked(container, "brightlist-photos") == 0
