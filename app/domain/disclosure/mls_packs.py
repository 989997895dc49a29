"""Plans a pack for a listing service: which picture of each photo it has, in which order, with which names and
labels.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from app.domain.catalog import MediaAlteration, media_alterations_of
from app.domain.disclosure.listing import (
    Listing,
    add_original_link,
    caption,
    find_barred,
    picture_label,
)
from app.domain.disclosure.pack_warnings import PackWarning, PackWarningCode
from app.domain.disclosure.rules import Demand, OriginalPlace, PrimaryPhoto, Rule
from app.domain.file_names import plain_stem
from app.domain.reso_image_of import ImageOf
from engine.types.enhancements import Enhancement, PhotoType

ORIGINALS = "originals"
"""The folder in the pack for originals that are not part of the set."""
MAX_STEM = 40
_MIN_DIGITS = 2


@dataclass(frozen=True, slots=True)
class PackPicture:
    """A stored picture of a photo, with the enhancements applied to it."""

    key: str
    applied: tuple[Enhancement, ...]


@dataclass(frozen=True, slots=True)
class PackPhoto:
    """One photo of an order with its approved picture (`altered`). `number`: its place in the order, from 1.

    `without_barred`: a picture made without the barred enhancements, if there is one. `original_url`: where the
    original is published, if it is.
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
    """One picture of a pack. `order`: its place in the set of listing pictures, from 1; None for an original that
    is not part of the set.

    `caption`: for the listing, may be empty. `label`: the words to write into the picture. `disclosure`: the words
    for the metadata of its file.
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
        """Whether the pack is complete without this picture."""
        return self.order is None

    @property
    def media_alterations(self) -> list[MediaAlteration]:
        """The values of RESO's `MediaAlteration` for this picture."""
        return media_alterations_of(self.applied)


@dataclass(frozen=True, slots=True)
class PackPlan:
    """A whole pack: its pictures, the set first; the remarks for the listing; warnings for the customer."""

    entries: tuple[PackEntry, ...]
    remarks: tuple[str, ...]
    warnings: tuple[PackWarning, ...]

    @property
    def in_set(self) -> list[PackEntry]:
        """The pictures of the set, in order."""
        return [each for each in self.entries if each.order is not None]

    @property
    def digest(self) -> str:
        """A digest of everything in the plan."""
        warnings = [each.model_dump(mode="json") for each in self.warnings]
        whole = [[asdict(each) for each in self.entries], self.remarks, warnings]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A picture chosen for the set, not numbered yet. `words`: its disclosure, None if it needs none."""

    photo: PackPhoto
    key: str
    applied: tuple[Enhancement, ...] = ()
    words: str | None = None
    is_original: bool = False


_Group = list[_Chosen]
"""The chosen pictures of one photo, which stay together in the set."""


def plan_pack(
    photos: Iterable[PackPhoto],
    listing: Listing,
    rule: Rule,
    *,
    labeled: bool = False,
    page_url: str | None = None,
) -> PackPlan:
    """The plan of a pack of these photos for the listing service of `rule`: exterior photos first, then interior
    ones, by their numbers.

    `listing`: where the property is advertised, with that service as `mls`. `labeled`: write labels into pictures
    where the rules allow but do not require it. `page_url`: where the originals are published, if they are.
    """
    return _Planner(listing, rule, labeled, page_url).plan(sorted(photos, key=_by_type_and_number))


def _by_type_and_number(photo: PackPhoto) -> tuple[bool, int]:
    return photo.type is not PhotoType.EXTERIOR, photo.number


class _Planner:
    def __init__(self, listing: Listing, rule: Rule, labeled: bool, page_url: str | None) -> None:
        self.listing, self.rule, self.page_url = listing, rule, page_url
        labels = [each.label for each in listing.rules]
        self.forbidden = any(each.picture is Demand.FORBIDDEN for each in labels)
        self.writes_labels = labeled or any(each.picture is Demand.REQUIRED for each in labels)
        links = [each.original_link for each in labels]
        self.needs_links = Demand.REQUIRED in links and Demand.FORBIDDEN not in links
        self.warnings: list[PackWarning] = []
        if labeled and self.forbidden:
            self._warn(PackWarningCode.LABEL_FORBIDDEN)

    def plan(self, photos: Sequence[PackPhoto]) -> PackPlan:
        groups = self._limit_count(self._put_primary_first([self._make_group(each) for each in photos]))
        in_set = list(self._number(groups))
        altered = [each for each in in_set if each.disclosure]
        if unlinked := [
            each.photo for each in altered if self.needs_links and not self._url_of(groups, each.photo)
        ]:
            self._warn(PackWarningCode.ORIGINALS_NOT_PUBLISHED, sorted(set(unlinked)))
        beside = list(self._list_originals_outside(in_set, groups))
        return PackPlan((*in_set, *beside), tuple(self._list_remarks(bool(altered))), tuple(self.warnings))

    def _warn(
        self, code: PackWarningCode, numbers: Iterable[int] = (), enhancements: Iterable[Enhancement] = ()
    ) -> None:
        self.warnings.append(PackWarning(code=code, photos=tuple(numbers), enhancements=tuple(enhancements)))

    def _make_group(self, photo: PackPhoto) -> _Group:
        chosen = self._choose(photo)
        if chosen.words is None or self.rule.original is OriginalPlace.NOT_ASKED:
            return [chosen]
        return [chosen, _original(photo)]

    def _choose(self, photo: PackPhoto) -> _Chosen:
        barred = self._find_barred(photo.altered)
        if not barred:
            return self._choose_altered(photo, photo.altered)
        allowed = photo.without_barred
        if allowed is not None and allowed.applied and not self._find_barred(allowed):
            self._warn(PackWarningCode.BARRED_STEPS_LEFT_OUT, [photo.number], barred)
            return self._choose_altered(photo, allowed)
        self._warn(PackWarningCode.BARRED_SO_ORIGINAL, [photo.number], barred)
        return _original(photo)

    def _find_barred(self, picture: PackPicture) -> list[Enhancement]:
        return list(dict.fromkeys(each for _, each in find_barred(self.listing, picture.applied)))

    def _choose_altered(self, photo: PackPhoto, picture: PackPicture) -> _Chosen:
        return _Chosen(photo, picture.key, picture.applied, caption(self.listing, picture.applied))

    def _put_primary_first(self, groups: list[_Group]) -> list[_Group]:
        """The groups, reordered so that the first picture is one that the rule accepts as the first."""
        wanted = self.rule.primary_photo
        if wanted is PrimaryPhoto.ANY or not groups:
            return groups
        exterior = [each for each in groups if each[0].photo.type is PhotoType.EXTERIOR]
        if not exterior:
            self._warn(PackWarningCode.NO_EXTERIOR)
            return groups
        if wanted is PrimaryPhoto.EXTERIOR:
            return groups
        unaltered = next((each for each in exterior if each[0].words is None), None)
        if unaltered is not None:
            return [unaltered, *(each for each in groups if each is not unaltered)]
        photo = exterior[0][0].photo
        self._warn(PackWarningCode.ORIGINAL_IS_FIRST, [photo.number])
        # Where an original must also follow its altered picture, it is in the set twice to meet both rules.
        stays = self.rule.original is OriginalPlace.AFTER
        rest = exterior[0] if stays else [each for each in exterior[0] if not each.is_original]
        return [[_original(photo), *rest], *groups[1:]]

    def _limit_count(self, groups: list[_Group]) -> list[_Group]:
        """The first groups, as many as fit into the number of pictures that the service allows, at least one."""
        most, kept = self.rule.pictures.max_count, list(groups)
        while most is not None and len(kept) > 1 and sum(map(len, kept)) > most:
            kept.pop()
        if left_out := [each[0].photo.number for each in groups[len(kept) :]]:
            self._warn(PackWarningCode.OVER_COUNT, left_out)
        return kept

    def _number(self, groups: Sequence[_Group]) -> Iterator[PackEntry]:
        digits = max(_MIN_DIGITS, len(str(sum(map(len, groups)))))
        order = 0
        for group in groups:
            for place, each in enumerate(group):
                order += 1
                original_follows = place + 1 < len(group) and group[place + 1].is_original
                yield self._make_entry(each, order, digits, original_follows=original_follows)

    def _make_entry(self, chosen: _Chosen, order: int, digits: int, *, original_follows: bool) -> PackEntry:
        photo = chosen.photo
        suffix = "original" if chosen.is_original else "altered" if chosen.words else ""
        name = "-".join(filter(None, (f"{order:0{digits}}", _stem(photo), suffix)))
        entry = PackEntry(
            path=f"{name}.jpg",
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
        label = picture_label(self.listing, chosen.applied) if self.writes_labels else None
        words = self._write_caption(chosen.words, photo, original_follows=original_follows)
        return replace(entry, caption=words, label=label, disclosure=chosen.words)

    def _write_caption(self, words: str, photo: PackPhoto, *, original_follows: bool) -> str:
        if self.needs_links and photo.original_url:
            return add_original_link(words, photo.original_url)
        return f"{words}. The original, unaltered photo follows." if original_follows else words

    def _list_originals_outside(self, in_set: Sequence[PackEntry], groups: Sequence[_Group]) -> Iterator[PackEntry]:
        """Entries in the folder ORIGINALS, for the altered pictures whose original is not in the set."""
        in_set_already = {each.photo for each in in_set if each.is_original}
        photos = {each.photo.number: each.photo for group in groups for each in group}
        for entry in in_set:
            if entry.disclosure and entry.photo not in in_set_already:
                photo, number = photos[entry.photo], entry.path.partition("-")[0]
                path = f"{ORIGINALS}/{number}-{_stem(photo)}-original.jpg"
                yield PackEntry(path, None, photo.number, photo.original_key, True, image_of=photo.image_of)

    def _list_remarks(self, has_altered: bool) -> Iterator[str]:
        if has_altered and self.rule.label.remarks:
            yield self.rule.label.remarks
        if has_altered and self.needs_links and self.page_url:
            yield add_original_link("Pictures of this property were digitally altered", self.page_url, many=True)

    @staticmethod
    def _url_of(groups: Sequence[_Group], number: int) -> str | None:
        return next(group[0].photo.original_url for group in groups if group[0].photo.number == number)


def _original(photo: PackPhoto) -> _Chosen:
    return _Chosen(photo, photo.original_key, is_original=True)


def _stem(photo: PackPhoto) -> str:
    """The photo's own name in ASCII letters and digits, else its type."""
    return plain_stem(photo.file_name, MAX_STEM) or photo.type.value
