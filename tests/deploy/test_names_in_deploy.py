"""Whatever the files of deploy/ name exists: settings, commands, queues, paths, metrics, pages of the runbook."""

import json
import re

import pytest
import yaml
from click import Choice, Group

from app.cli.process_commands import processes
from app.domain.ports import QueueName
from app.settings import load_settings
from app.settings.programs import PROGRAMS, WEB
from app.supervision.programs import list_programs
from tests.architecture.test_docs import anchors
from tests.deploy import files
from tests.deploy.files import DEPLOY, OF_OTHERS, ROOT, SETTINGS

OURS = "app.cli.processes"


def test_every_variable_is_a_setting() -> None:
    (compose,) = files.documents("compose.yaml")
    docker = (DEPLOY / "Dockerfile").read_text()
    config = [each for each in files.kubernetes() if each["kind"] in ("ConfigMap", "Secret")]
    named = {
        "compose": set(compose["x-service"]["environment"]),
        "compose.env.example": files.variables((DEPLOY / "compose.env.example").read_text()),
        "systemd": files.variables((DEPLOY / "systemd" / "environment.example").read_text()),
        "kubernetes": {name for each in config for name in each.get("data", each.get("stringData"))},
        "Dockerfile": set(re.findall(r"^(?:ENV|   ) ([A-Z_]+)=", docker, re.MULTILINE)),
    }
    unknown = {where: names - SETTINGS - OF_OTHERS for where, names in named.items()}
    assert unknown == {where: set() for where in named}
    assert all(named.values())


def test_what_compose_asks_for_stands_in_its_example() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    asked = set(re.findall(r"(?<!\$)\$\{([A-Z_0-9]+)", text))
    assert asked == files.variables((DEPLOY / "compose.env.example").read_text())


@pytest.mark.parametrize(("where", "words"), list(files.commands()), ids=lambda each: str(each)[:60])
def test_every_command_is_one_of_ours_with_its_arguments(where: str, words: list[str]) -> None:
    if OURS not in words:
        assert words[0].endswith("gunicorn")
        assert words[-1] == "wsgi:application"
        return
    assert words[:2] in (["python", "-m"], ["/srv/brightlist/.venv/bin/python", "-m"])
    name, *arguments = words[words.index(OURS) + 1 :]
    assert isinstance(processes, Group)
    command = processes.commands[name]
    queues = [each.value for each in QueueName]
    given = ["mail" if each == "%i" else each for each in arguments]
    context = command.make_context(name, given)
    assert context.params.get("queue_name", "photos") in queues
    assert [each.type for each in command.params if isinstance(each.type, Choice)] == [] or name == "work"


def test_everywhere_runs_what_up_runs() -> None:
    """Compose, systemd and Kubernetes leave out no queue, no sweeper and no exporter."""
    elsewhere = {"REDIS_URL": "redis://elsewhere:6379", "DATABASE_URL": "postgresql://db/x", "SECRET_KEY": "k" * 16}
    apart_from_web = ",".join(each for each in PROGRAMS if each != WEB)
    settings = load_settings({"METRICS_PORT": "9100", "PROGRAMS": apart_from_web, **elsewhere})
    ours = [each.command for each in list_programs(settings) if OURS in each.command]
    wanted = {" ".join(command[command.index(OURS) + 1 :]) for command in ours}
    assert {f"work {each}" for each in QueueName} - wanted == {"work rooms"}, "which workers for photos work on too"
    wants = re.findall(r"brightlist-work@([\w-]+)\.service", files.units()["brightlist.target"])
    found: dict[str, set[str]] = {
        "compose": set(),
        "systemd": {f"work {each}" for each in wants},
        "kubernetes": set(),
    }
    apart: set[str] = set()
    for where, words in files.commands():
        if OURS in words and "%i" not in words:
            place = where.split()[0]
            told = [each for each in words[words.index(OURS) + 1 :] if not each.startswith("--")]
            found[place].add(" ".join(told))
            apart |= {place} if "--no-rooms" in words else set()
    wanted_of = {place: wanted | ({"work rooms"} if place in apart else set()) for place in found}
    assert {place: wanted_of[place] - each for place, each in found.items()} == {place: set() for place in found}


def test_the_target_of_systemd_wants_units_that_exist() -> None:
    units = files.units()
    wanted = re.findall(r"(brightlist[\w@.-]+\.service)", " ".join(units.values()))
    assert {re.sub(r"@[\w-]+\.", "@.", each) for each in wanted} <= set(units)


def test_the_image_copies_what_exists_and_nothing_that_is_ignored() -> None:
    docker = (DEPLOY / "Dockerfile").read_text()
    allowed = re.findall(r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    copied = [
        each for line in re.findall(r"^COPY (?!--from)(.+)$", docker, re.MULTILINE) for each in line.split()[:-1]
    ]
    assert copied
    assert [each for each in copied if not files.exists(each)] == []
    assert sorted(each.rstrip("/") for each in copied) == sorted(allowed)


def test_every_query_names_metrics_and_labels_that_exist() -> None:
    series = files.series()
    unknown, labels = set(), set()
    for expression in files.expressions():
        names = re.findall(r"brightlist_\w+", expression)
        assert names, expression
        unknown |= {name for name in names if name not in series}
        asked = re.findall(r"by \(([\w, ]+)\)", expression) + re.findall(r'(\w+)[!=]~?"', expression)
        have = set().union(*(series.get(name, set()) for name in names))
        labels |= {(label, expression) for each in asked for label in each.split(", ") if label not in have}
    assert unknown == set()
    assert labels == set()


def test_every_metric_is_in_the_dashboard_or_an_alert() -> None:
    told = " ".join(files.expressions())
    families = {re.sub(r"_(bucket|sum|count)$", "", each) for each in files.series()}
    assert {each for each in families if each not in told} == set()


def test_every_alert_leads_to_a_section_of_the_runbook() -> None:
    (rules,) = files.documents("prometheus/alerts.yaml")
    runbook = anchors(ROOT / "docs" / "runbook.md")
    for rule in rules["groups"][0]["rules"]:
        page, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert page == "docs/runbook.md"
        assert anchor in runbook, rule["alert"]


def test_every_label_in_an_alerts_words_is_one_of_its_query() -> None:
    (rules,) = files.documents("prometheus/alerts.yaml")
    for rule in rules["groups"][0]["rules"]:
        for label in re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]):
            assert f"({label})" in rule["expr"], rule["alert"]


def test_nothing_of_compose_is_open_to_the_world_but_the_pages() -> None:
    open_to_all = [
        name
        for name, service in files.compose().items()
        for port in service.get("ports", ())
        if not str(port).startswith("127.0.0.1:")
    ]
    assert open_to_all == ["web"]


def test_the_dashboard_is_a_whole_one() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "brightlist.json").read_text())
    places = [(each["gridPos"]["x"], each["gridPos"]["y"]) for each in dashboard["panels"]]
    assert len(set(places)) == len(places)
    assert all(x + each["gridPos"]["w"] <= 24 for (x, _), each in zip(places, dashboard["panels"], strict=True))


def test_the_rules_of_prometheus_are_those_that_are_tested() -> None:
    assert yaml.safe_load((DEPLOY / "prometheus" / "alerts_test.yaml").read_text())["rule_files"] == ["alerts.yaml"]
    (config,) = files.documents("prometheus/prometheus.yaml")
    assert config["rule_files"] == ["alerts.yaml"]


def test_images_of_others_are_pinned_by_digest() -> None:
    text = (DEPLOY / "Dockerfile").read_text() + (DEPLOY / "compose.yaml").read_text()
    named = re.findall(r"^(?:FROM|\s+image:) (\S+)", text, re.MULTILINE)
    others = {each for each in named if each != "brightlist"}
    assert len(others) == 4
    assert not {each for each in others if not re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", each)}
