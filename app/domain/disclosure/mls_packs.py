"""What a pack for a listing service holds: which picture of each photo, in which order, called and labeled how."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from app.domain.catalog import MediaAlteration, media_alterations_of
from app.domain.disclosure.listing import (
    Listing,
    caption,
    find_barred,
    picture_label,
    say_with_original,
)
from app.domain.disclosure.pack_warnings import PackWarning, PackWarningCode
from app.domain.disclosure.rules import Demand, OriginalPlace, PrimaryPhoto, Rule
from app.domain.file_names import plain_stem
from app.domain.reso_image_of import ImageOf
from engine.types.enhancements import Enhancement, PhotoType

ORIGINALS = "originals"
"""The folder of what stands beside the set."""
MAX_STEM = 40
_LEAST_DIGITS = 2


@dataclass(frozen=True, slots=True)
class PackPicture:
    """A stored picture of a photo, and what was done to it."""

    key: str
    applied: tuple[Enhancement, ...]


@dataclass(frozen=True, slots=True)
class PackPhoto:
    """One photo of an order with its approved picture. `number`: its place in the order, from 1.

    `without_barred`: the same made without what is barred, where there is one; `original_url`: where its original
    is published.
    """

    number: int
    type: PhotoType
    file_name: str
    original_key: str
    altered: PackPicture
    image_of: ImageOf | None = None
    without_barred: PackPicture | None = None
    original_url: str | None = None


@dataclass(frozen=True, slots=True)
class PackEntry:
    """One picture of a pack. `order`: its place in the set, from 1; None for what stands beside the set.

    `caption` is what the listing says of it, empty where nothing; `label` is drawn into it; `disclosure` are the
    words that its file carries.
    """

    path: str
    order: int | None
    photo: int
    key: str
    is_original: bool
    applied: tuple[Enhancement, ...] = ()
    caption: str = ""
    label: str | None = None
    disclosure: str | None = None
    image_of: ImageOf | None = None

    @property
    def is_optional(self) -> bool:
        """Whether the pack is whole without it."""
        return self.order is None

    @property
    def media_alterations(self) -> list[MediaAlteration]:
        """What RESO's `MediaAlteration` lists for it."""
        return media_alterations_of(self.applied)


@dataclass(frozen=True, slots=True)
class PackPlan:
    """All of a pack: its pictures, the set first; what the remarks of the listing say; what to know of it."""

    entries: tuple[PackEntry, ...]
    remarks: tuple[str, ...]
    warnings: tuple[PackWarning, ...]

    @property
    def in_set(self) -> list[PackEntry]:
        """The pictures of the listing, in their order."""
        return [each for each in self.entries if each.order is not None]

    @property
    def digest(self) -> str:
        """Differs when anything of the pack does."""
        told = [each.model_dump(mode="json") for each in self.warnings]
        whole = [[asdict(each) for each in self.entries], self.remarks, told]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A picture on its way into the pack."""

    photo: PackPhoto
    key: str
    applied: tuple[Enhancement, ...] = ()
    words: str | None = None
    is_original: bool = False


_Group = list[_Chosen]
"""What stays together: one photo's pictures."""


def plan_pack(
    photos: Iterable[PackPhoto],
    listing: Listing,
    rule: Rule,
    *,
    labeled: bool = False,
    page_url: str | None = None,
) -> PackPlan:
    """The pack of these photos, in the order of the order, for the listing service that `rule` is of.

    `listing`: where the property is advertised, that service included. `labeled`: draw labels where the rules
    leave it open. `page_url`: where the originals are published.
    """
    return _Planner(listing, rule, labeled, page_url).plan(sorted(photos, key=_exteriors_first))


def _exteriors_first(photo: PackPhoto) -> tuple[bool, int]:
    return photo.type is not PhotoType.EXTERIOR, photo.number


class _Planner:
    def __init__(self, listing: Listing, rule: Rule, labeled: bool, page_url: str | None) -> None:
        self.listing, self.rule, self.page_url = listing, rule, page_url
        demands = [each.label for each in listing.rules]
        self.forbidden = any(each.picture is Demand.FORBIDDEN for each in demands)
        self.drawn = labeled or any(each.picture is Demand.REQUIRED for each in demands)
        links = [each.original_link for each in demands]
        self.links = Demand.REQUIRED in links and Demand.FORBIDDEN not in links
        self.warnings: list[PackWarning] = []
        if labeled and self.forbidden:
            self._warn(PackWarningCode.LABEL_FORBIDDEN)

    def plan(self, photos: Sequence[PackPhoto]) -> PackPlan:
        groups = self._limited(self._with_primary([self._group(each) for each in photos]))
        in_set = list(self._numbered(groups))
        told = [each for each in in_set if each.disclosure]
        if unlinked := [each.photo for each in told if self.links and not self._url_of(groups, each.photo)]:
            self._warn(PackWarningCode.ORIGINALS_NOT_PUBLISHED, sorted(set(unlinked)))
        beside = list(self._beside(in_set, groups))
        return PackPlan((*in_set, *beside), tuple(self._remarks(bool(told))), tuple(self.warnings))

    def _warn(
        self, code: PackWarningCode, numbers: Iterable[int] = (), enhancements: Iterable[Enhancement] = ()
    ) -> None:
        self.warnings.append(PackWarning(code=code, photos=tuple(numbers), enhancements=tuple(enhancements)))

    def _group(self, photo: PackPhoto) -> _Group:
        chosen = self._choose(photo)
        if chosen.words is None or self.rule.original is OriginalPlace.NOT_ASKED:
            return [chosen]
        return [chosen, _original(photo)]

    def _choose(self, photo: PackPhoto) -> _Chosen:
        barred = self._barred(photo.altered)
        if not barred:
            return self._altered(photo, photo.altered)
        clean = photo.without_barred
        if clean is not None and clean.applied and not self._barred(clean):
            self._warn(PackWarningCode.BARRED_STEPS_LEFT_OUT, [photo.number], barred)
            return self._altered(photo, clean)
        self._warn(PackWarningCode.BARRED_SO_ORIGINAL, [photo.number], barred)
        return _original(photo)

    def _barred(self, picture: PackPicture) -> list[Enhancement]:
        return list(dict.fromkeys(each for _, each in find_barred(self.listing, picture.applied)))

    def _altered(self, photo: PackPhoto, picture: PackPicture) -> _Chosen:
        return _Chosen(photo, picture.key, picture.applied, caption(self.listing, picture.applied))

    def _with_primary(self, groups: list[_Group]) -> list[_Group]:
        """With the picture first that has to be."""
        wanted = self.rule.primary_photo
        if wanted is PrimaryPhoto.ANY or not groups:
            return groups
        outside = [each for each in groups if each[0].photo.type is PhotoType.EXTERIOR]
        if not outside:
            self._warn(PackWarningCode.NO_EXTERIOR)
            return groups
        if wanted is PrimaryPhoto.EXTERIOR:
            return groups
        first = next((each for each in outside if each[0].words is None), None)
        if first is not None:
            return [first, *(each for each in groups if each is not first)]
        photo = outside[0][0].photo
        self._warn(PackWarningCode.ORIGINAL_IS_FIRST, [photo.number])
        # Where it has to follow its altered picture it is there twice: both rules are kept.
        stays = self.rule.original is OriginalPlace.AFTER
        rest = outside[0] if stays else [each for each in outside[0] if not each.is_original]
        return [[_original(photo), *rest], *groups[1:]]

    def _limited(self, groups: list[_Group]) -> list[_Group]:
        """As many as the service takes, from the start; what belongs together stays together."""
        most, kept = self.rule.pictures.max_count, list(groups)
        while most is not None and len(kept) > 1 and sum(map(len, kept)) > most:
            kept.pop()
        if left_out := [each[0].photo.number for each in groups[len(kept) :]]:
            self._warn(PackWarningCode.OVER_COUNT, left_out)
        return kept

    def _numbered(self, groups: Sequence[_Group]) -> Iterator[PackEntry]:
        digits = max(_LEAST_DIGITS, len(str(sum(map(len, groups)))))
        order = 0
        for group in groups:
            for place, each in enumerate(group):
                order += 1
                follows = place + 1 < len(group) and group[place + 1].is_original
                yield self._entry(each, order, digits, follows=follows)

    def _entry(self, chosen: _Chosen, order: int, digits: int, *, follows: bool) -> PackEntry:
        photo, suffix = chosen.photo, "original" if chosen.is_original else "altered" if chosen.words else ""
        entry = PackEntry(
            path=f"{'-'.join(filter(None, (f'{order:0{digits}}', _stem(photo), suffix)))}.jpg",
            order=order,
            photo=photo.number,
            key=chosen.key,
            is_original=chosen.is_original,
            applied=chosen.applied,
            image_of=photo.image_of,
        )
        if chosen.is_original:
            return replace(entry, caption="Original, unaltered photo.")
        if chosen.words is None:
            return entry
        label = picture_label(self.listing, chosen.applied) if self.drawn else None
        words = self._caption(chosen.words, photo, follows=follows)
        return replace(entry, caption=words, label=label, disclosure=chosen.words)

    def _caption(self, words: str, photo: PackPhoto, *, follows: bool) -> str:
        if self.links and photo.original_url:
            return say_with_original(words, photo.original_url)
        return f"{words}. The original, unaltered photo follows." if follows else words

    def _beside(self, in_set: Sequence[PackEntry], groups: Sequence[_Group]) -> Iterator[PackEntry]:
        """The originals that the set does not hold."""
        held = {each.photo for each in in_set if each.is_original}
        photos = {each.photo.number: each.photo for group in groups for each in group}
        for entry in in_set:
            if entry.disclosure and entry.photo not in held:
                photo, number = photos[entry.photo], entry.path.partition("-")[0]
                path = f"{ORIGINALS}/{number}-{_stem(photo)}-original.jpg"
                yield PackEntry(path, None, photo.number, photo.original_key, True, image_of=photo.image_of)

    def _remarks(self, told: bool) -> Iterator[str]:
        if told and self.rule.label.remarks:
            yield self.rule.label.remarks
        if told and self.links and self.page_url:
            yield say_with_original("Pictures of this property were digitally altered", self.page_url, many=True)

    @staticmethod
    def _url_of(groups: Sequence[_Group], number: int) -> str | None:
        return next(group[0].photo.original_url for group in groups if group[0].photo.number == number)


def _original(photo: PackPhoto) -> _Chosen:
    return _Chosen(photo, photo.original_key, is_original=True)


def _stem(photo: PackPhoto) -> str:
    """The photo's own name in plain letters; of one that has none in them, what it shows."""
    return plain_stem(photo.file_name, MAX_STEM) or photo.type.value
