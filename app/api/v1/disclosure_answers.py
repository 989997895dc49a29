"""Models of the API's answers about rules on altered pictures, and about disclosures that the rules require."""

from collections.abc import Iterable
from datetime import date

from pydantic import Field

from app.domain.api_types import WireAnswer
from app.domain.disclosure.listing import Listing, OrderedDisclosure, RequiredDisclosure, find_disclosures
from app.domain.disclosure.rules import Rule, RuleCertainty, RuleChange, RuleStage, RuleText, Treatment
from app.domain.fields import Caption, Index, RuleId, SourceUrl
from engine.types.enhancements import Disclosure, Enhancement, PhotoType


class DisclosureAnswer(WireAnswer):
    """One alteration of a picture that a rule requires to be disclosed, or bars."""

    disclosure: Disclosure = Field(description="What kind of alteration it is.", examples=[Disclosure.ALTERED])
    treatment: Treatment = Field(
        description="Whether it must be disclosed, or is barred altogether.", examples=[Treatment.REQUIRED]
    )
    words: Caption = Field(description="What the listing says, in the rule's words.")
    rule: RuleId = Field(description="The rule, see GET /rules.", examples=["california"])
    source: SourceUrl | None = Field(
        default=None,
        description="Where it was read; absent where the rule is our own.",
        examples=["https://codes.findlaw.com/ca/business-and-professions-code/bpc-sect-10140-8/"],
    )


class ListingAnswer(WireAnswer):
    """Where a property is advertised, which decides the rules that apply."""

    jurisdiction: str = Field(description="The law of which place, see GET /rules.", examples=["california"])
    mls: RuleId | None = Field(default=None, description="The listing service; absent where none was given.")


class PhotoPlaceAnswer(WireAnswer):
    """The place of a photo in an order."""

    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")


class JobDisclosureAnswer(WireAnswer):
    """One alteration of some photos of a job that a rule requires to be disclosed, or bars."""

    disclosure: Disclosure
    treatment: Treatment
    words: Caption = Field(description="What the listing says, in the rule's words.")
    rule: RuleId = Field(description="The rule, see GET /rules.")
    photos: list[PhotoPlaceAnswer] = Field(description="Of these, once all is done as ordered.")


class PhotoDisclosuresAnswer(WireAnswer):
    """What must be disclosed about one photo, if everything is done as ordered."""

    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    disclosures: list[DisclosureAnswer]


class EffectRuleAnswer(WireAnswer):
    """How a rule treats one enhancement."""

    treatment: Treatment
    words: str | None = Field(default=None, description="In the rule's words, where it has some.")
    certainty: RuleCertainty = Field(description="How we know.")


class RuleChangeAnswer(RuleChange):
    """A part of a rule that changes on its own day."""

    begun: bool = Field(description="Whether that day has come, by UTC.")


class RuleAnswer(RuleText):
    """One rule on altered pictures. It was not written down by a lawyer."""

    stage: RuleStage = Field(
        description="How far it has come today, by UTC. A bill holds nowhere and no order can name it; an "
        "enacted one counts before its day, since a listing outlives its order.",
    )
    has_primary_source: bool = Field(description="Whether its own text is among the sources.")
    changes: list[RuleChangeAnswer] = Field(description="What changes by itself, each on its day.")
    effects: dict[str, EffectRuleAnswer] = Field(description="By enhancement.")


class RuleList(WireAnswer):
    """All rules."""

    rules: list[RuleAnswer] = Field(description="Laws first.")


def answer_rule(rule: Rule, today: date) -> RuleAnswer:
    """The rule as the API answers it on the day `today`."""
    effects = {
        enhancement.value: EffectRuleAnswer(
            treatment=each.treatment, words=each.words, certainty=each.certainty or rule.certainty
        )
        for enhancement, each in rule.effects.items()
    }
    changes = [RuleChangeAnswer(**dict(each), begun=each.begins <= today) for each in rule.changes]
    stage, has_primary_source = rule.stage_on(today), rule.has_primary_source
    derived = {"stage": stage, "has_primary_source": has_primary_source}
    return RuleAnswer.model_validate({**dict(rule), **derived, "changes": changes, "effects": effects})


def answer_disclosures(listing: Listing, enhancements: Iterable[Enhancement]) -> list[DisclosureAnswer]:
    """The disclosures for a picture with these enhancements, under the rules of the listing."""
    return [_answer(each) for each in find_disclosures(listing, enhancements)]


def answer_job_disclosures(disclosures: Iterable[OrderedDisclosure]) -> list[JobDisclosureAnswer]:
    """The disclosures of a job, each with the photos that it is for."""
    return [
        JobDisclosureAnswer(
            disclosure=each.disclosure,
            treatment=each.treatment,
            words=each.words,
            rule=each.rule,
            photos=[PhotoPlaceAnswer(type=photo_type, index=index) for photo_type, index in each.photos],
        )
        for each in disclosures
    ]


def _answer(found: RequiredDisclosure) -> DisclosureAnswer:
    return DisclosureAnswer(
        disclosure=found.disclosure,
        treatment=found.treatment,
        words=found.words,
        rule=found.rule.id,
        source=found.source,
    )
