"""Where a property is advertised, and what the rules there have told of its altered pictures."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from app.domain.address_lines import split
from app.domain.api_types import Text
from app.domain.catalog import ENTRIES
from app.domain.disclosure.rule_files import DEFAULT_RULE, all_rules
from app.domain.disclosure.rules import Demand, Rule, RuleKind, Treatment
from app.domain.field_errors import FaultCode, suggest
from engine.types.enhancements import Disclosure, Enhancement, PhotoType

_STATE_AND_ZIP = re.compile(
    r"[, ](?P<region>[A-Za-z]{2}),? \d{5}(-\d{4})?(, *(USA?|United States))?", re.IGNORECASE
)
_US_POSTCODE = re.compile(r"\d{5}(-\d{4})?")


class BarredEnhancement(BaseModel):
    """An enhancement that a rule bars, which the customer ordered knowingly."""

    model_config = ConfigDict(frozen=True)

    rule: str = Field(examples=["crmls"])
    version: int = Field(description="Of the rule whose words were shown.", examples=[1])
    enhancement: Enhancement


class OrderedDisclosure(BaseModel):
    """What a rule has told of some photos of an order, once all is done as ordered; kept with it in short."""

    model_config = ConfigDict(frozen=True)

    rule: str
    disclosure: Disclosure
    treatment: Treatment
    photos: tuple[tuple[PhotoType, int], ...]

    @property
    def words(self) -> str:
        """As the rule has it written; the plain word of a rule that a later release dropped."""
        known = all_rules()
        return known.get(self.rule, known[DEFAULT_RULE]).label.words[self.disclosure]


class Listing(BaseModel):
    """Where a property is advertised: by the law of which place, and in which listing service, if any.

    Of an order, `accepted` is what is barred there and was ordered all the same, `disclosures` what is to be told,
    `versions` are those of the rules on that day, by their ids.
    """

    model_config = ConfigDict(frozen=True)

    jurisdiction: str = DEFAULT_RULE
    mls: str | None = None
    accepted: tuple[BarredEnhancement, ...] = ()
    disclosures: tuple[OrderedDisclosure, ...] = ()
    versions: dict[str, int] = {}

    @property
    def rules(self) -> list[Rule]:
        """The rules that hold, the law first. One that a later release dropped is as if it had not been chosen."""
        known = all_rules()
        mls = known.get(self.mls or "")
        return [known.get(self.jurisdiction, known[DEFAULT_RULE]), *([mls] if mls else [])]


def _names_rule(kind: RuleKind) -> AfterValidator:
    def check(rule_id: str) -> str:
        names = [rule.id for rule in list_held_rules(kind)]
        if rule_id not in names:
            params = {"names": names, "meant": suggest(rule_id[:50], names)}
            raise PydanticCustomError(FaultCode.NOT_ONE_OF, "no rule has this id", params)
        return rule_id

    return AfterValidator(check)


JurisdictionId = Annotated[Text, _names_rule(RuleKind.JURISDICTION)]
MlsId = Annotated[Text, _names_rule(RuleKind.MLS)]


@dataclass(frozen=True, slots=True)
class ToldDisclosure:
    """One thing that a rule has told of a picture, or bars, in its words for a listing."""

    rule: Rule
    disclosure: Disclosure
    treatment: Treatment

    @property
    def words(self) -> str:
        """As the rule has it written."""
        return self.rule.label.words[self.disclosure]

    @property
    def source(self) -> str | None:
        """Where the rule was read; None where it is of our own making."""
        return str(self.rule.sources[0].url) if self.rule.sources else None


def list_rules(kind: RuleKind) -> list[Rule]:
    """The rules of a kind in the order of their names, bills too, the one for every other place last."""
    found = [rule for rule in all_rules().values() if rule.kind is kind]
    return sorted(found, key=lambda rule: (rule.id == DEFAULT_RULE, rule.name))


def list_held_rules(kind: RuleKind) -> list[Rule]:
    """The same without bills: what holds where a property is advertised, or will from a day that is known.

    What is enacted counts before its day, since a listing outlives the order; it asks for nothing more than the
    rule of every other place does.
    """
    return [rule for rule in list_rules(kind) if not rule.bill]


def find_jurisdiction(address: str) -> str:
    """The law of the place, its id: by the state of an address in the United States, else the one for elsewhere."""
    lines = split(address)
    plain = _STATE_AND_ZIP.search(address.rstrip())
    if plain and plain.end() == len(address.rstrip()):
        return find_jurisdiction_of(plain["region"])
    american = not lines.postcode or _US_POSTCODE.fullmatch(lines.postcode)
    return find_jurisdiction_of(lines.region) if american else DEFAULT_RULE


def find_jurisdiction_of(state: str) -> str:
    """The law of a state of the United States, its id, by its name or postal code, else that for elsewhere."""
    name = state.replace(".", "").strip().casefold()
    for rule in list_held_rules(RuleKind.JURISDICTION):
        if rule.country == "US" and name in {each.casefold() for each in (*rule.regions, rule.area)}:
            return rule.id
    return DEFAULT_RULE


def find_disclosures(listing: Listing, applied: Iterable[Enhancement]) -> list[ToldDisclosure]:
    """What each rule has told of a picture with these enhancements, the law first; a class once for each rule,
    as the strictest of its enhancements is treated.
    """
    enhancements = list(applied)
    return [
        ToldDisclosure(rule, each, _strictest(rule, each, enhancements))
        for rule in listing.rules
        for each in rule.disclosures_of(enhancements)
    ]


def _strictest(rule: Rule, disclosure: Disclosure, applied: Iterable[Enhancement]) -> Treatment:
    found = [rule.treatment_of(each) for each in applied if rule.disclosures_of([each]) == [disclosure]]
    return max(found, key=list(Treatment).index)


def find_ordered_disclosures(
    listing: Listing, photos: Iterable[tuple[PhotoType, int, Sequence[Enhancement]]]
) -> tuple[OrderedDisclosure, ...]:
    """What the rules have told of an order's photos: type, index and enhancements of each. The law first."""
    places: dict[tuple[str, Disclosure, Treatment], list[tuple[PhotoType, int]]] = {}
    for photo_type, index, enhancements in photos:
        for told in find_disclosures(listing, enhancements):
            places.setdefault((told.rule.id, told.disclosure, told.treatment), []).append((photo_type, index))
    order = {rule.id: number for number, rule in enumerate(listing.rules)}
    return tuple(
        OrderedDisclosure(rule=rule, disclosure=disclosure, treatment=treatment, photos=tuple(found))
        for (rule, disclosure, treatment), found in sorted(places.items(), key=lambda each: order[each[0][0]])
    )


def find_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> list[tuple[Rule, Enhancement]]:
    """What of these enhancements the rules bar, each once, in the order in which they are given."""
    wanted = list(dict.fromkeys(enhancements))
    return [
        (rule, each) for rule in listing.rules for each in wanted if rule.treatment_of(each) is Treatment.BARRED
    ]


def barred_by(listing: Listing, enhancement: Enhancement) -> list[tuple[Rule, str]]:
    """The rules that bar the enhancement where the property is advertised, and their words for it."""
    return [(rule, rule.effects[enhancement].words or "") for rule, _ in find_barred(listing, [enhancement])]


def warn_of_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> list[str]:
    """A sentence for each enhancement that a rule bars, with the rule's words, for people."""
    return [
        f"{rule.name} bars {ENTRIES[each].label.lower()}: {rule.effects[each].words}"
        for rule, each in find_barred(listing, enhancements)
    ]


def accept_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> Listing:
    """The same, with what the rules bar of these enhancements as knowingly ordered."""
    accepted = (
        BarredEnhancement(rule=rule.id, version=rule.version, enhancement=each)
        for rule, each in find_barred(listing, enhancements)
    )
    return listing.model_copy(update={"accepted": tuple(accepted)})


def caption(listing: Listing, applied: Iterable[Enhancement]) -> str | None:
    """What the listing says of a picture with these enhancements, in the words of the listing service where there
    is one; None where nothing need be said.
    """
    enhancements = list(applied)
    said = [rule.label_for(enhancements) for rule in listing.rules]
    return next((each for each in reversed(said) if each), None)


def say_with_original(words: str, url: str, *, many: bool = False) -> str:
    """The words, and where the original is published, or the originals of `many` pictures: as California has it."""
    return f"{words}. Original, unaltered {'images' if many else 'image'}: {url}"


def picture_label(listing: Listing, applied: Iterable[Enhancement]) -> str | None:
    """The same as it is written into the picture; None, too, where a rule forbids words in pictures."""
    if any(rule.label.picture is Demand.FORBIDDEN for rule in listing.rules):
        return None
    return caption(listing, applied)
