"""What the files of deploy/ name, so that tests can hold it to the truth."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from app import metrics
from app.settings import Settings
from tests.architecture.source import ROOT

DEPLOY = ROOT / "deploy"
SETTINGS = {name.upper() for name in Settings.model_fields}
OF_OTHERS = {"PATH", "HOME", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "POSTGRES_PASSWORD"}
"""Variables that are no settings of ours."""


def documents(path: str) -> list[dict[str, Any]]:
    """The YAML documents of a file of deploy/."""
    return list(yaml.safe_load_all((DEPLOY / path).read_text()))


def kubernetes() -> Iterator[dict[str, Any]]:
    """Every object for Kubernetes."""
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
        yield from documents(f"kubernetes/{path.name}")


def containers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every container for Kubernetes, with the name of what it belongs to."""
    for each in kubernetes():
        template = each.get("spec", {}).get("template", {})
        for container in template.get("spec", {}).get("containers", ()):
            yield each["metadata"]["name"], container


def compose() -> dict[str, dict[str, Any]]:
    """The services of compose.yaml, by name."""
    (found,) = documents("compose.yaml")
    services: dict[str, dict[str, Any]] = found["services"]
    return services


def units() -> dict[str, str]:
    """The text of every unit of systemd, by file name."""
    return {path.name: path.read_text() for path in sorted((DEPLOY / "systemd").glob("brightlist*"))}


def variables(text: str) -> set[str]:
    """The names at the beginning of lines such as NAME=value."""
    return set(re.findall(r"^([A-Z][A-Z0-9_]+)=", text, re.MULTILINE))


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command that runs a process of ours, as words, with where it stands."""
    for name, service in compose().items():
        if service["image"] == "brightlist" and "command" in service:
            yield f"compose {name}", service["command"]
    for name, text in units().items():
        for line in re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE):
            yield f"systemd {name}", line.split()
    for name, container in containers():
        if "command" in container:
            yield f"kubernetes {name}", container["command"]
    docker = (DEPLOY / "Dockerfile").read_text()
    for words in re.findall(r"^CMD (\[.+\])$", docker, re.MULTILINE):
        yield "Dockerfile", json.loads(words)


def expressions() -> Iterator[str]:
    """Every query for Prometheus: of alert rules and of the dashboard."""
    (rules,) = documents("prometheus/alerts.yaml")
    for group in rules["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    dashboard = json.loads((DEPLOY / "grafana" / "brightlist.json").read_text())
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def series() -> dict[str, set[str]]:
    """Every name under which values reach Prometheus, with its labels."""
    collected = (each for each in vars(metrics).values() if isinstance(each, metrics.ScrapedMetric))
    found = {f"brightlist_{each.name}": set(each.labels) for each in collected}
    for metric in vars(metrics).values():
        labels = getattr(metric, "_labelnames", None)
        if labels is None:
            continue
        (family,) = metric.collect()
        suffixes = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}[family.type]
        for suffix in suffixes:
            found[family.name + suffix] = {*labels, *({"le"} if suffix == "_bucket" else ())}
    return found


def exists(path: str, root: Path = ROOT) -> bool:
    """Whether a path of the checkout is there."""
    return (root / path).exists()
