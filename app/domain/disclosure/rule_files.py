"""Reads the rules from their YAML files, once; faults are reported with file and line."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml
from pydantic import ValidationError

from app.domain.disclosure.rules import Rule

FOLDER = Path(__file__).with_name("rules")
DEFAULT_RULE = "elsewhere"
"""The id of the rule for all places that have no rule of their own."""


class RuleFileError(Exception):
    """A rule file has faults, so the service must not start. The text has one line `FILE:LINE: fault` for each."""


@cache
def all_rules() -> Mapping[str, Rule]:
    """Id -> rule, for all rules of this release. Raises RuleFileError."""
    return load_rules(FOLDER)


def load_rules(folder: Path) -> Mapping[str, Rule]:
    """Id -> rule, for all files `ID.yaml` in the folder, sorted by file name. Raises RuleFileError with all
    faults.
    """
    rules, faults = {}, []
    for file in sorted(folder.glob("*.yaml")):
        try:
            rules[file.stem] = _read(file)
        except RuleFileError as error:
            faults.append(str(error))
    if DEFAULT_RULE not in rules and not faults:
        faults.append(f"{folder / DEFAULT_RULE}.yaml:1: the rule for every other place is missing")
    if faults:
        raise RuleFileError("\n".join(faults))
    return MappingProxyType(rules)


def _read(file: Path) -> Rule:
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, yaml.SafeLoader)
        _refuse_repeated(root, file)
        rule = Rule.model_validate(yaml.safe_load(text))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise RuleFileError(f"{file}:{line}: {error.problem}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise RuleFileError(f"{file}:1: {error}") from None
    except ValidationError as error:
        faults = [
            f"{file}:{_line(root, each['loc'])}: {_field_path(each['loc'])}{each['msg']}" for each in error.errors()
        ]
        raise RuleFileError("\n".join(faults)) from None
    if rule.id != file.stem:
        raise RuleFileError(f"{file}:{_line(root, ('id',))}: id: the file of this rule is {rule.id}.yaml")
    return rule


def _refuse_repeated(node: yaml.Node | None, file: Path) -> None:
    """Raise RuleFileError for a key that is given twice, because the YAML parser would silently drop the first
    value.
    """
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                raise RuleFileError(f"{file}:{key.start_mark.line + 1}: {key.value}: given twice")
            seen.add(key.value)
            _refuse_repeated(value, file)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_repeated(value, file)


def _line(node: yaml.Node | None, place: tuple[int | str, ...]) -> int:
    """The line of the value at `place`, or of the innermost existing value around it."""
    line = node.start_mark.line + 1 if node else 1
    for step in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == step), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        else:
            break
    return line


def _field_path(place: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, place))}: " if place else ""
