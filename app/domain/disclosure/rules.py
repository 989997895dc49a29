"""The model of one rule on altered photos, of a jurisdiction or a listing service, as in its YAML file."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import ConfigDict, Field, HttpUrl, StringConstraints, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.domain.api_types import StoredAnswer
from app.domain.catalog import ENTRIES
from engine.types.enhancements import Disclosure, Enhancement, join_disclosures, list_disclosures

# In the OpenAPI document these are plain strings and numbers, without their limits.
_TEXT = WithJsonSchema({"type": "string"})
_WORDS = WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}})
RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{1,39}$"), _TEXT]
Sentence = Annotated[str, StringConstraints(min_length=3, max_length=1000, strip_whitespace=True), _TEXT]
RegionCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$"), _TEXT]
Positive = Annotated[int, Field(gt=0), WithJsonSchema({"type": "integer"})]
LabelWords = Annotated[str, StringConstraints(min_length=3, max_length=40)]


class RuleKind(StrEnum):
    """Who made a rule: the law of a place, or a listing service (MLS)."""

    JURISDICTION = "jurisdiction"
    MLS = "mls"


class Treatment(StrEnum):
    """How a rule treats an enhancement; each value is stricter than the one before it."""

    EXEMPT = "exempt"
    REQUIRED = "required"
    BARRED = "barred"


class RuleCertainty(StrEnum):
    """How we know a rule: we read its own text, others report it, or we infer it from a general text."""

    TEXT_READ = "text_read"
    REPORTED = "reported"
    INFERRED = "inferred"


class RuleStage(StrEnum):
    """The stage of a rule: a bill that is not law, enacted but not in force yet, or in force."""

    BILL = "bill"
    ENACTED = "enacted"
    IN_FORCE = "in_force"


class Demand(StrEnum):
    """Whether a rule requires, allows or forbids something."""

    REQUIRED = "required"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class OriginalPlace(StrEnum):
    """Where the original of an altered picture is shown."""

    NOT_ASKED = "not_asked"
    IN_SET = "in_set"
    BEFORE_OR_AFTER = "before_or_after"
    AFTER = "after"


class PrimaryPhoto(StrEnum):
    """What the first picture of a listing must be."""

    ANY = "any"
    EXTERIOR = "exterior"
    UNALTERED_EXTERIOR = "unaltered_exterior"


class _Part(StoredAnswer):
    model_config = ConfigDict(extra="forbid")


class Source(_Part, title="SourceAnswer"):
    """Where a rule was read."""

    title: Sentence
    url: Annotated[HttpUrl, _TEXT]
    # This is also true for a page that quotes the text word by word.
    primary: bool = Field(description="Whether it is the rule's own text.")


class EffectRule(_Part):
    """How a rule treats one enhancement. `words`: the rule's own words about it; `certainty`: set where it differs
    from the certainty of the whole rule.
    """

    treatment: Treatment
    words: Sentence | None = None
    certainty: RuleCertainty | None = None

    @model_validator(mode="after")
    def _check_words_of_barred(self) -> Self:
        if self.treatment is Treatment.BARRED and not self.words:
            raise PydanticCustomError("barred_without_words", "what is barred needs the words that bar it")
        return self


class LabelRule(_Part, title="LabelRuleAnswer"):
    """Where an altered picture is labeled, and the words of the label."""

    picture: Demand = Field(description="Words written into the picture.")
    caption: Demand = Field(description="Words in the description beside it.")
    words: Annotated[dict[Disclosure, LabelWords], _WORDS] = Field(description="By the kind of alteration.")
    remarks: Sentence | None = Field(
        default=None, description="The words with which the listing's remarks must begin."
    )
    original_link: Demand = Field(default=Demand.ALLOWED, description="A link to the public original beside it.")

    @model_validator(mode="after")
    def _check_words(self) -> Self:
        if missing := [each.value for each in Disclosure if each not in self.words]:
            raise PydanticCustomError("words_missing", "no words for {missing}", {"missing": ", ".join(missing)})
        return self


class PictureLimits(_Part, title="PictureLimitsAnswer"):
    """The limits of a listing service; an absent limit is not stated, or we do not know it."""

    max_bytes: Positive | None = Field(default=None, description="A file has fewer bytes.")
    max_count: Positive | None = None
    width: Positive | None = Field(default=None, description="The ideal width in pixels.")
    height: Positive | None = Field(default=None, description="The ideal height in pixels.")


class RuleChange(_Part):
    """A part of a rule that changes on a later day."""

    begins: date
    summary: Sentence
    source: Source


class RuleText(_Part):
    """The fields of a rule that are both stored and answered."""

    id: RuleId
    kind: RuleKind
    version: Positive = Field(description="Grows with every change.")
    name: Sentence
    area: Sentence
    country: RegionCode | None = None
    regions: tuple[RegionCode, ...] = Field(
        default=(), description="The states where it holds, by their postal codes."
    )
    in_force: date | None = Field(
        default=None, description="The day from which it applies; absent where not known."
    )
    bill: Sentence | None = Field(default=None, description="The stage of a bill that is not law yet.")
    checked: date = Field(description="When we last compared it with its sources.")
    certainty: RuleCertainty = Field(description="How we know the rule.")
    summary: Sentence = Field(description="What it requires, in plain words.")
    sources: tuple[Source, ...] = ()
    label: LabelRule
    original: OriginalPlace = Field(description="Where the original is shown.")
    primary_photo: PrimaryPhoto = Field(default=PrimaryPhoto.ANY, description="What the first picture must be.")
    pictures: PictureLimits = PictureLimits()


class Rule(RuleText):
    """One rule. Without `regions` it applies in its `area`; a `bill` applies nowhere."""

    changes: tuple[RuleChange, ...] = ()
    effects: dict[Enhancement, EffectRule]

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        if missing := [each.value for each in Enhancement if each not in self.effects]:
            raise PydanticCustomError(
                "effects_missing", "says nothing of {missing}", {"missing": ", ".join(missing)}
            )
        plain = [each.value for each in Enhancement if ENTRIES[each].disclosure is None]
        if odd := [each for each in plain if self.effects[Enhancement(each)].treatment is Treatment.REQUIRED]:
            raise PydanticCustomError("no_label", "there is no label for {odd}", {"odd": ", ".join(odd)})
        if self.certainty is RuleCertainty.TEXT_READ and not self.has_primary_source:
            raise PydanticCustomError("no_primary_source", "a text that was read needs its primary source")
        if self.bill and self.in_force:
            raise PydanticCustomError("bill_in_force", "a bill is not in force on any day")
        return self

    def stage_on(self, day: date) -> RuleStage:
        """The stage of the rule on a day; a rule without `in_force` or `bill` is in force."""
        if self.bill:
            return RuleStage.BILL
        return RuleStage.ENACTED if self.in_force and day < self.in_force else RuleStage.IN_FORCE

    @property
    def short_name(self) -> str:
        """The name without the paragraph, which follows a comma."""
        return self.name.partition(",")[0]

    @property
    def has_primary_source(self) -> bool:
        """Whether the rule's own text is among the sources."""
        return any(each.primary for each in self.sources)

    def treatment_of(self, enhancement: Enhancement) -> Treatment:
        """How the rule treats an enhancement."""
        return self.effects[enhancement].treatment

    def disclosures_of(self, applied: Iterable[Enhancement]) -> list[Disclosure]:
        """The disclosures of a picture with these enhancements, each once, in the order of labels."""
        return list_disclosures(each for each in applied if self.treatment_of(each) is not Treatment.EXEMPT)

    def label_for(self, applied: Iterable[Enhancement]) -> str | None:
        """The label of such a picture, as `Virtually staged, digitally altered`; None if nothing is disclosed."""
        found = self.disclosures_of(applied)
        return join_disclosures(self.label.words[each] for each in found) if found else None
