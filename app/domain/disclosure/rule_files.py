"""The rules in their files: read once, and refused with file and line where one has a fault."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml
from pydantic import ValidationError

from app.domain.disclosure.rules import Rule

FOLDER = Path(__file__).with_name("rules")
DEFAULT_RULE = "elsewhere"
"""The rule of a place of which no other says anything."""


class RuleFileError(Exception):
    """The service must not start with such rules; the text has one line `FILE:LINE: fault` for each fault."""


@cache
def all_rules() -> Mapping[str, Rule]:
    """The rules of this release by their ids. Raises RuleFileError."""
    return load_rules(FOLDER)


def load_rules(folder: Path) -> Mapping[str, Rule]:
    """The rules in the folder's files, `ID.yaml` each, by their ids, in the order of names.

    Raises RuleFileError with every fault at once.
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
    except ValidationError as refused:
        faults = [
            f"{file}:{_line(root, each['loc'])}: {_name(each['loc'])}{each['msg']}" for each in refused.errors()
        ]
        raise RuleFileError("\n".join(faults)) from None
    if rule.id != file.stem:
        raise RuleFileError(f"{file}:{_line(root, ('id',))}: id: the file of this rule is {rule.id}.yaml")
    return rule


def _refuse_repeated(node: yaml.Node | None, file: Path) -> None:
    """YAML takes the last of two equal keys; here the second is a fault, or a rule would lose words unseen."""
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
    """The line of what is at fault, or of the innermost thing around it that is there."""
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


def _name(place: tuple[int | str, ...]) -> str:
    return "".join(f"{step}: " if step is place[-1] else f"{step}." for step in place)
