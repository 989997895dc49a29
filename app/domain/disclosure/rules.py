"""One rule on altered photos of one place or listing service: what it treats how, its words, its sources."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from app.domain.catalogue import ENTRIES, Disclosure, Enhancement

RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{1,39}$")]
Sentence = Annotated[str, StringConstraints(min_length=3, max_length=1000, strip_whitespace=True)]
RegionCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]


class RuleKind(StrEnum):
    """Who made a rule: the law of a place, or a listing service (MLS)."""

    JURISDICTION = "jurisdiction"
    MLS = "mls"


class Treatment(StrEnum):
    """What a rule makes of an enhancement; later ones are stricter."""

    EXEMPT = "exempt"
    REQUIRED = "required"
    BARRED = "barred"


class RuleCertainty(StrEnum):
    """How we know: its own text was read, others tell of it, or we infer it from a general text."""

    TEXT_READ = "text_read"
    REPORTED = "reported"
    INFERRED = "inferred"


class RuleStage(StrEnum):
    """How far a rule has come: a bill that is no law, enacted but not begun, or in force."""

    BILL = "bill"
    ENACTED = "enacted"
    IN_FORCE = "in_force"


class Demand(StrEnum):
    """Whether something is asked for, may be, or must not be."""

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


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Part):
    """Where a rule was read. `primary`: its own text, by whoever made it or word by word."""

    title: Sentence
    url: HttpUrl
    primary: bool


class EffectRule(_Part):
    """How one enhancement is treated, in the rule's `words` where it has some; `certainty` where it differs."""

    treatment: Treatment
    words: Sentence | None = None
    certainty: RuleCertainty | None = None

    @model_validator(mode="after")
    def _barred_in_words(self) -> Self:
        if self.treatment is Treatment.BARRED and not self.words:
            raise PydanticCustomError("barred_without_words", "what is barred needs the words that bar it")
        return self


class LabelRule(_Part):
    """Where an altered picture is labelled: `picture`, in its `caption`, by the first words of the `remarks`.

    `original_link`: whether a link to the public original belongs beside it.
    """

    picture: Demand
    caption: Demand
    words: dict[Disclosure, Annotated[str, StringConstraints(min_length=3, max_length=40)]]
    remarks: Sentence | None = None
    original_link: Demand = Demand.ALLOWED

    @model_validator(mode="after")
    def _every_word(self) -> Self:
        if missing := [each.value for each in Disclosure if each not in self.words]:
            raise PydanticCustomError("words_missing", "no words for {missing}", {"missing": ", ".join(missing)})
        return self


class PictureLimits(_Part):
    """What a listing service takes: bytes below `max_bytes`, `max_count` pictures, the ideal size in pixels."""

    max_bytes: int | None = Field(default=None, gt=0)
    max_count: int | None = Field(default=None, gt=0)
    width: int | None = Field(default=None, gt=0)
    height: int | None = Field(default=None, gt=0)


class RuleChange(_Part):
    """What of a rule changes on a day of its own, `begins`, and where that was read."""

    begins: date
    summary: Sentence
    source: Source


class Rule(_Part):
    """One rule. `regions`: the states where it holds, by their postal codes; none: where its `area` says.

    `bill`: where it stands that is no law yet; such a rule holds nowhere.
    """

    id: RuleId
    kind: RuleKind
    version: int = Field(gt=0)
    name: Sentence
    area: Sentence
    country: RegionCode | None = None
    regions: tuple[RegionCode, ...] = ()
    in_force: date | None = None
    bill: Sentence | None = None
    checked: date
    certainty: RuleCertainty
    summary: Sentence
    changes: tuple[RuleChange, ...] = ()
    sources: tuple[Source, ...] = ()
    effects: dict[Enhancement, EffectRule]
    label: LabelRule
    original: OriginalPlace
    primary_photo: PrimaryPhoto = PrimaryPhoto.ANY
    pictures: PictureLimits = PictureLimits()

    @model_validator(mode="after")
    def _whole(self) -> Self:
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
        """How far it has come on a day; a rule without a day of its own is in force."""
        if self.bill:
            return RuleStage.BILL
        return RuleStage.ENACTED if self.in_force and day < self.in_force else RuleStage.IN_FORCE

    @property
    def short_name(self) -> str:
        """Its name without the paragraph."""
        return self.name.partition(",")[0]

    @property
    def has_primary_source(self) -> bool:
        """Whether its own text is among the sources."""
        return any(each.primary for each in self.sources)

    def treatment_of(self, enhancement: Enhancement) -> Treatment:
        """How it treats an enhancement."""
        return self.effects[enhancement].treatment

    def disclosures_of(self, applied: Iterable[Enhancement]) -> list[Disclosure]:
        """What is to be told of a picture with these enhancements, each once, in the order of labels."""
        told = {ENTRIES[each].disclosure for each in applied if self.treatment_of(each) is not Treatment.EXEMPT}
        return [each for each in Disclosure if each in told]

    def label_for(self, applied: Iterable[Enhancement]) -> str | None:
        """What a listing says of such a picture: `Virtually staged, digitally altered`; None where nothing."""
        words = list(dict.fromkeys(self.label.words[each] for each in self.disclosures_of(applied)))
        # Words in titles stay as the rule writes them, others go on within the sentence.
        return ", ".join(words[:1] + [each if each.istitle() else each.lower() for each in words[1:]]) or None
