"""JSON schemas of the OpenAPI document as table rows for readers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Schema = Mapping[str, Any]
_SHAPES = "#/components/schemas/"
_TEXT_LENGTH = ("minLength", "maxLength", "character", "characters")
_LIST_LENGTH = ("minItems", "maxItems", "entry", "entries")
_FORMATS = {"date-time": "time, ISO 8601", "binary": "file"}


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value in words; `shape`: the named schema that the words end with, if there is one."""

    words: str
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class FieldReference:
    """One row: `parents` is the path in front of the name, and `depth` the number of fields in that path. `values`:
    the values that are allowed in a request, or known in an answer; empty for any value.
    """

    name: str
    type: Type
    required: bool
    parents: str = ""
    depth: int = 0
    description: str = ""
    limits: Sequence[str] = ()
    values: Sequence[Any] = ()
    default: Any = None


class Shapes:
    """The named schemas (shapes) of an OpenAPI document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._schemas: Mapping[str, Schema] = document.get("components", {}).get("schemas", {})

    def __getitem__(self, name: str) -> Schema:
        return self._schemas[name]

    def used(self, part: Any) -> set[str]:
        """The names of all shapes that a part of the document refers to, directly or within others."""
        found: set[str] = set()
        parts = [part]
        while parts:
            match parts.pop():
                case {"$ref": str(reference)} if reference.startswith(_SHAPES):
                    if (name := reference.removeprefix(_SHAPES)) not in found:
                        found.add(name)
                        parts.append(self._schemas[name])
                case dict(inner):
                    parts += inner.values()
                case list(inner) | tuple(inner):
                    parts += inner
        return found

    def fields(self, schema: Schema, *, nested: bool = True) -> list[FieldReference]:
        """The fields of an object; with `nested`, each is followed by the fields of the object that it holds.

        Only the first field of a shape lists the shape's values.
        """
        found, explained = [], set()
        for field in self._walk(schema, nested):
            found.append(replace(field, values=()) if field.type.shape in explained else field)
            explained |= {field.type.shape} - {None}
        return found

    def parameter(self, parameter: Mapping[str, Any]) -> FieldReference:
        """A parameter of an endpoint; its type says where it belongs: path, query or header."""
        field = self._field(parameter["name"], parameter["schema"], parameter.get("required", False))
        return replace(field, type=Type(parameter["in"]), description=parameter.get("description", ""))

    def type(self, schema: Schema) -> Type:
        """The type in words."""
        if shape := _name(schema):
            return Type("", shape)
        if choices := _choices(schema):
            found = [self.type(choice) for choice in choices]
            return found[0] if len(found) == 1 else Type(" or ".join(each.words for each in found))
        if schema.get("type") == "array":
            inner = self.type(schema.get("items", {}))
            return Type(f"list of {inner.words}".strip(), inner.shape)
        if isinstance(value_schema := schema.get("additionalProperties"), Mapping):
            inner = self.type(value_schema)
            return Type(f"for each key one {inner.words}".strip(), inner.shape)
        plain: str = schema.get("type", "anything")
        return Type(_FORMATS.get(schema.get("format", ""), plain))

    def _walk(
        self, schema: Schema, nested: bool, parents: str = "", inside: tuple[str, ...] = ()
    ) -> Iterator[FieldReference]:
        whole = self._resolved(schema)
        for name, value in whole.get("properties", {}).items():
            field = self._field(name, value, name in whole.get("required", ()))
            yield replace(field, parents=parents, depth=len(inside))
            inner, path = self._inner(value)
            # A shape may contain itself, so its fields are listed only once.
            if nested and (shape := _name(inner) or name) not in inside:
                yield from self._walk(inner, nested, f"{parents}{name}{path}.", (*inside, shape))

    def _field(self, name: str, schema: Schema, required: bool) -> FieldReference:
        values = list_values(self._resolved(self._inner(schema)[0]))
        return FieldReference(
            name=name,
            type=self.type(schema),
            required=required,
            description=schema.get("description", ""),
            limits=tuple(_limits(schema)),
            values=tuple(values),
            default=schema.get("default"),
        )

    def _inner(self, schema: Schema) -> tuple[Schema, str]:
        """The innermost schema of a field's lists and maps, and the path from the field to it: `[]`, `.<key>`."""
        if len(choices := _choices(schema)) == 1:
            return self._inner(choices[0])
        if schema.get("type") == "array":
            inner, path = self._inner(schema.get("items", {}))
            return inner, f"[]{path}"
        if isinstance(value_schema := schema.get("additionalProperties"), Mapping):
            inner, path = self._inner(value_schema)
            return inner, f".<key>{path}"
        return schema, ""

    def _resolved(self, schema: Schema) -> Schema:
        name = _name(schema)
        return self._schemas[name] if name else schema


def list_values(schema: Schema) -> Sequence[Any]:
    """The values that the schema allows, or the known values; empty for any value."""
    values: Sequence[Any] = schema.get("enum") or schema.get("x-extensible-enum", ())
    return values


def _name(schema: Schema) -> str | None:
    reference = schema.get("$ref")
    return str(reference).removeprefix(_SHAPES) if reference else None


def _choices(schema: Schema) -> list[Schema]:
    # Null is left out: any field that may be left out may also be null.
    return [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]


def _limits(schema: Schema) -> Iterator[str]:
    for choice in (schema, *_choices(schema)):
        yield from _between(choice, *_TEXT_LENGTH)
        yield from _between(choice, *_LIST_LENGTH)
        yield from _between(choice, "minimum", "maximum", "", "")
        if "pattern" in choice:
            yield f"matches `{choice['pattern']}`"


def _between(schema: Schema, low: str, high: str, one: str, many: str) -> Iterator[str]:
    match schema.get(low), schema.get(high):
        case None, None:
            return
        case least, None:
            last, text = least, f"at least {least:,.10g}"
        case None, last:
            text = f"at most {last:,.10g}"
        case least, last:
            text = f"{least:,.10g} to {last:,.10g}"
    yield f"{text} {one if last == 1 else many}".rstrip()
