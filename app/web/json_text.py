"""Writes JSON for readers: short lists and objects on one line."""

import json
from collections.abc import Mapping
from typing import Any

_JSON_WORDS: Mapping[bool | None, str] = {True: "true", False: "false", None: "null"}
_MAX_LINE = 56
"""The most characters, indentation included, of a JSON list or object that stays on one line."""


def format_json(value: Any, words: Mapping[bool | None, str] | None = None) -> str:
    """Write JSON over several lines, with short lists and objects on one line. `words`: what a programming language
    writes for true, false and null, if that differs from JSON.
    """
    return _write_json(value, "", words or _JSON_WORDS)


def _write_json(value: Any, indent: str, words: Mapping[bool | None, str]) -> str:
    flat = _write_flat(value, words)
    short = indent and len(indent + flat) <= _MAX_LINE
    if short or not value or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name)}: {_write_json(each, inner, words)}" for name, each in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_write_json(each, inner, words)}" for each in value) + f"\n{indent}]"


def _write_flat(value: Any, words: Mapping[bool | None, str]) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(name)}: {_write_flat(each, words)}" for name, each in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_write_flat(each, words) for each in value) + "]"
    return words[value] if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
