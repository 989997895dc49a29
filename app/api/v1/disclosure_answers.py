"""What the API answers of rules on altered pictures, and of what they have told of a photo."""

from collections.abc import Iterable
from datetime import date

from pydantic import Field

from app.domain.catalogue import Disclosure, Enhancement, PhotoType
from app.domain.disclosure.listing import Listing, OrderedDisclosure, ToldDisclosure, find_disclosures
from app.domain.disclosure.rules import (
    Demand,
    OriginalPlace,
    PrimaryPhoto,
    Rule,
    RuleCertainty,
    RuleKind,
    RuleStage,
    Treatment,
)
from app.domain.wire import WireAnswer


class DisclosureAnswer(WireAnswer):
    """One thing that a rule has told of a picture, or bars."""

    disclosure: Disclosure = Field(description="What kind of alteration it is.")
    treatment: Treatment = Field(description="Whether it is to be told, or barred altogether.")
    words: str = Field(description="What the listing says, in the rule's words.")
    rule: str = Field(description="The rule, see GET /rules.")
    source: str | None = Field(default=None, description="Where it was read; absent where the rule is our own.")


class ListingAnswer(WireAnswer):
    """Where a property is advertised: whose rules hold."""

    jurisdiction: str = Field(description="The law of which place, see GET /rules.")
    mls: str | None = Field(default=None, description="The listing service; absent where none was given.")


class PhotoPlaceAnswer(WireAnswer):
    """Which photo of an order."""

    type: PhotoType
    index: int = Field(description="Its place among those of its type, from 0.")


class JobDisclosureAnswer(WireAnswer):
    """One thing that a rule has told of some photos of a job, or bars."""

    disclosure: Disclosure
    treatment: Treatment
    words: str = Field(description="What the listing says, in the rule's words.")
    rule: str = Field(description="The rule, see GET /rules.")
    photos: list[PhotoPlaceAnswer] = Field(description="Of these, once all is done as ordered.")


class PhotoDisclosuresAnswer(WireAnswer):
    """What is to be told of one photo as it will be."""

    type: PhotoType
    index: int = Field(description="Its place among those of its type, from 0.")
    disclosures: list[DisclosureAnswer]


class SourceAnswer(WireAnswer):
    """Where a rule was read."""

    title: str
    url: str
    primary: bool = Field(description="Whether it is the rule's own text.")


class EffectRuleAnswer(WireAnswer):
    """How a rule treats one enhancement."""

    treatment: Treatment
    words: str | None = Field(default=None, description="In the rule's words, where it has some.")
    certainty: RuleCertainty = Field(description="How we know.")


class LabelRuleAnswer(WireAnswer):
    """Where an altered picture is labelled, and with what."""

    picture: Demand = Field(description="Words written into the picture.")
    caption: Demand = Field(description="Words in the description beside it.")
    words: dict[str, str] = Field(description="By the kind of alteration.")
    remarks: str | None = Field(
        default=None, description="With what the remarks of the listing begin, if they must."
    )
    original_link: Demand = Field(description="A link to the public original beside it.")


class PictureLimitsAnswer(WireAnswer):
    """What a listing service takes; what is absent it does not say, or we do not know."""

    max_bytes: int | None = Field(default=None, description="A file has fewer bytes.")
    max_count: int | None = None
    width: int | None = Field(default=None, description="The ideal width in pixels.")
    height: int | None = Field(default=None, description="The ideal height in pixels.")


class RuleChangeAnswer(WireAnswer):
    """What of a rule changes on a day of its own."""

    begins: date
    begun: bool = Field(description="Whether that day has come, by UTC.")
    summary: str
    source: SourceAnswer


class RuleAnswer(WireAnswer):
    """One rule on altered pictures. Nobody who wrote it down is a lawyer."""

    id: str
    kind: RuleKind
    version: int = Field(description="Grows with every change.")
    name: str
    area: str
    country: str | None = None
    regions: list[str] = Field(description="The states where it holds, by their postal codes.")
    stage: RuleStage = Field(
        description="How far it has come today, by UTC. A bill holds nowhere and no order can name it; an "
        "enacted one counts before its day, since a listing outlives its order."
    )
    in_force: date | None = Field(default=None, description="From which day; absent where we know none.")
    bill: str | None = Field(default=None, description="Where a bill stands that is no law yet.")
    checked: date = Field(description="When we last compared it with its sources.")
    certainty: RuleCertainty = Field(description="How we know.")
    has_primary_source: bool = Field(description="Whether its own text is among the sources.")
    summary: str = Field(description="What it asks, for people.")
    changes: list[RuleChangeAnswer] = Field(description="What changes by itself, each on its day.")
    sources: list[SourceAnswer]
    effects: dict[str, EffectRuleAnswer] = Field(description="By enhancement.")
    label: LabelRuleAnswer
    original: OriginalPlace = Field(description="Where the original is shown.")
    primary_photo: PrimaryPhoto = Field(description="What the first picture must be.")
    pictures: PictureLimitsAnswer


class RuleList(WireAnswer):
    """All rules."""

    rules: list[RuleAnswer] = Field(description="Laws first.")


def answer_rule(rule: Rule, today: date) -> RuleAnswer:
    """The rule as the API gives it on a day."""
    told = rule.model_dump(mode="json", exclude={"effects", "changes"})
    effects = {
        enhancement.value: EffectRuleAnswer(
            treatment=each.treatment, words=each.words, certainty=each.certainty or rule.certainty
        )
        for enhancement, each in rule.effects.items()
    }
    changes = [
        RuleChangeAnswer.model_validate({**each.model_dump(mode="json"), "begun": each.begins <= today})
        for each in rule.changes
    ]
    worked_out = {
        "effects": effects,
        "changes": changes,
        "stage": rule.stage_on(today),
        "has_primary_source": rule.has_primary_source,
    }
    return RuleAnswer.model_validate({**told, **worked_out})


def answer_listing(listing: Listing) -> ListingAnswer:
    """Where the property is advertised."""
    return ListingAnswer(jurisdiction=listing.jurisdiction, mls=listing.mls)


def answer_disclosures(listing: Listing, enhancements: Iterable[Enhancement]) -> list[DisclosureAnswer]:
    """What is to be told of a picture with these enhancements."""
    return [_answer(each) for each in find_disclosures(listing, enhancements)]


def answer_job_disclosures(told: Iterable[OrderedDisclosure]) -> list[JobDisclosureAnswer]:
    """What is to be told of a job's photos."""
    return [
        JobDisclosureAnswer(
            disclosure=each.disclosure,
            treatment=each.treatment,
            words=each.words,
            rule=each.rule,
            photos=[PhotoPlaceAnswer(type=photo_type, index=index) for photo_type, index in each.photos],
        )
        for each in told
    ]


def _answer(told: ToldDisclosure) -> DisclosureAnswer:
    return DisclosureAnswer(
        disclosure=told.disclosure,
        treatment=told.treatment,
        words=told.words,
        rule=told.rule.id,
        source=told.source,
    )
