"""Where a property is advertised, and which disclosures the rules there require of its altered pictures."""

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
    """A disclosure that a rule requires of some photos of an order if everything is done as ordered. It is stored
    with the order.
    """

    model_config = ConfigDict(frozen=True)

    rule: str
    disclosure: Disclosure
    treatment: Treatment
    photos: tuple[tuple[PhotoType, int], ...]

    @property
    def words(self) -> str:
        """The words that the rule requires; those of the default rule if a later release has removed the rule."""
        known = all_rules()
        return known.get(self.rule, known[DEFAULT_RULE]).label.words[self.disclosure]


class Listing(BaseModel):
    """Where a property is advertised: the id of the rule for the law (`jurisdiction`), and of the rule of the
    listing service (`mls`), if any.

    Stored with an order: `accepted`, enhancements that are barred there and were ordered knowingly; `disclosures`,
    what must be disclosed; `versions`, of the rules on the day of the order, by their ids.
    """

    model_config = ConfigDict(frozen=True)

    jurisdiction: str = DEFAULT_RULE
    mls: str | None = None
    accepted: tuple[BarredEnhancement, ...] = ()
    disclosures: tuple[OrderedDisclosure, ...] = ()
    versions: dict[str, int] = {}

    @property
    def rules(self) -> list[Rule]:
        """The rules that apply, the law first. A rule that a later release has removed counts as not chosen."""
        known = all_rules()
        mls = known.get(self.mls or "")
        return [known.get(self.jurisdiction, known[DEFAULT_RULE]), *([mls] if mls else [])]


def _check_rule_id(kind: RuleKind) -> AfterValidator:
    def check(rule_id: str) -> str:
        names = [rule.id for rule in list_enacted_rules(kind)]
        if rule_id not in names:
            params = {"names": names, "meant": suggest(rule_id[:50], names)}
            raise PydanticCustomError(FaultCode.NOT_ONE_OF, "no rule has this id", params)
        return rule_id

    return AfterValidator(check)


JurisdictionId = Annotated[Text, _check_rule_id(RuleKind.JURISDICTION)]
MlsId = Annotated[Text, _check_rule_id(RuleKind.MLS)]


@dataclass(frozen=True, slots=True)
class RequiredDisclosure:
    """A disclosure that a rule requires of a picture, with the rule's words; also for an enhancement that the rule
    bars.
    """

    rule: Rule
    disclosure: Disclosure
    treatment: Treatment

    @property
    def words(self) -> str:
        """The words that the rule requires."""
        return self.rule.label.words[self.disclosure]

    @property
    def source(self) -> str | None:
        """The URL of the rule's first source; None for rules that we made ourselves."""
        return str(self.rule.sources[0].url) if self.rule.sources else None


def list_rules(kind: RuleKind) -> list[Rule]:
    """The rules of a kind, including bills, sorted by name, with DEFAULT_RULE last."""
    found = [rule for rule in all_rules().values() if rule.kind is kind]
    return sorted(found, key=lambda rule: (rule.id == DEFAULT_RULE, rule.name))


def list_enacted_rules(kind: RuleKind) -> list[Rule]:
    """The rules of a kind without bills: rules that are in force, or will be from a known day.

    Enacted rules count before that day, because a listing may still be advertised then; they require nothing that
    DEFAULT_RULE does not.
    """
    return [rule for rule in list_rules(kind) if not rule.bill]


def find_jurisdiction(address: str) -> str:
    """The id of the law for an address: by its state in the United States, else DEFAULT_RULE."""
    lines = split(address)
    at_end = _STATE_AND_ZIP.search(address.rstrip())
    if at_end and at_end.end() == len(address.rstrip()):
        return find_jurisdiction_of(at_end["region"])
    american = not lines.postcode or _US_POSTCODE.fullmatch(lines.postcode)
    return find_jurisdiction_of(lines.region) if american else DEFAULT_RULE


def find_jurisdiction_of(state: str) -> str:
    """The id of the law of a state of the United States, given by name or postal code; else DEFAULT_RULE."""
    name = state.replace(".", "").strip().casefold()
    for rule in list_enacted_rules(RuleKind.JURISDICTION):
        if rule.country == "US" and name in {each.casefold() for each in (*rule.regions, rule.area)}:
            return rule.id
    return DEFAULT_RULE


def find_chosen_law(listing: Listing, address: str, *, of_states: bool = True) -> str | None:
    """The id of the listing's law if the customer chose it. None if it is the law of the address. Without
    `of_states`, also None if it is the law of a state of the United States, which follows from an address.
    """
    if listing.jurisdiction == find_jurisdiction(address) or (listing.rules[0].country == "US" and not of_states):
        return None
    return listing.jurisdiction


def find_disclosures(listing: Listing, applied: Iterable[Enhancement]) -> list[RequiredDisclosure]:
    """The disclosures that each rule requires of a picture with these enhancements, those of the law first. Each
    rule has a disclosure only once, with the strictest treatment of the enhancements that need it.
    """
    enhancements = list(applied)
    return [
        RequiredDisclosure(rule, each, _strictest(rule, each, enhancements))
        for rule in listing.rules
        for each in rule.disclosures_of(enhancements)
    ]


def _strictest(rule: Rule, disclosure: Disclosure, applied: Iterable[Enhancement]) -> Treatment:
    found = [rule.treatment_of(each) for each in applied if rule.disclosures_of([each]) == [disclosure]]
    return max(found, key=list(Treatment).index)


def find_ordered_disclosures(
    listing: Listing, photos: Iterable[tuple[PhotoType, int, Sequence[Enhancement]]]
) -> tuple[OrderedDisclosure, ...]:
    """The disclosures that the rules require of an order's photos, given as type, index and enhancements; those of
    the law first.
    """
    places: dict[tuple[str, Disclosure, Treatment], list[tuple[PhotoType, int]]] = {}
    for photo_type, index, enhancements in photos:
        for found in find_disclosures(listing, enhancements):
            places.setdefault((found.rule.id, found.disclosure, found.treatment), []).append((photo_type, index))
    order = {rule.id: number for number, rule in enumerate(listing.rules)}
    return tuple(
        OrderedDisclosure(rule=rule, disclosure=disclosure, treatment=treatment, photos=tuple(of_photos))
        for (rule, disclosure, treatment), of_photos in sorted(places.items(), key=lambda each: order[each[0][0]])
    )


def find_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> list[tuple[Rule, Enhancement]]:
    """The enhancements that a rule bars, each with the rule and once for each rule, in the order given."""
    wanted = list(dict.fromkeys(enhancements))
    return [
        (rule, each) for rule in listing.rules for each in wanted if rule.treatment_of(each) is Treatment.BARRED
    ]


def list_barring_rules(listing: Listing, enhancement: Enhancement) -> list[tuple[Rule, str]]:
    """The rules that bar the enhancement where the property is advertised, each with its words about it."""
    return [(rule, rule.effects[enhancement].words or "") for rule, _ in find_barred(listing, [enhancement])]


def warn_of_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> list[str]:
    """A sentence for people about each enhancement that a rule bars, with the rule's words."""
    return [
        f"{rule.name} bars {ENTRIES[each].label.lower()}: {rule.effects[each].words}"
        for rule, each in find_barred(listing, enhancements)
    ]


def accept_barred(listing: Listing, enhancements: Iterable[Enhancement]) -> Listing:
    """A copy whose `accepted` lists the enhancements, of these, that the rules bar."""
    accepted = (
        BarredEnhancement(rule=rule.id, version=rule.version, enhancement=each)
        for rule, each in find_barred(listing, enhancements)
    )
    return listing.model_copy(update={"accepted": tuple(accepted)})


def caption(listing: Listing, applied: Iterable[Enhancement]) -> str | None:
    """The caption that discloses these enhancements of a picture in the listing, in the words of the listing
    service if it has any, else of the law; None if nothing must be disclosed.
    """
    enhancements = list(applied)
    labels = [rule.label_for(enhancements) for rule in listing.rules]
    return next((each for each in reversed(labels) if each), None)


def add_original_link(words: str, url: str, *, many: bool = False) -> str:
    """The words with the URL where the original, or the originals of `many` pictures, are published, in the form
    that California's law requires.
    """
    return f"{words}. Original, unaltered {'images' if many else 'image'}: {url}"


def picture_label(listing: Listing, applied: Iterable[Enhancement]) -> str | None:
    """The caption to write into the picture; None if nothing must be disclosed or a rule forbids words in
    pictures.
    """
    if any(rule.label.picture is Demand.FORBIDDEN for rule in listing.rules):
        return None
    return caption(listing, applied)
