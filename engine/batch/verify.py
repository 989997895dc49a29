"""Checks the claims of a public page about a picture from the two files alone: `--verify ORIGINAL ALTERED`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.batch.arguments import UsageError
from engine.io.photo import DecodedPhoto, decode, read_statement
from engine.io.source_type import Statement
from engine.quality.alignment import Fit, NotComparable
from engine.quality.verification import ChangedRegion, Verification, VerificationFault, verify_pictures
from engine.types.enhancements import Enhancement
from engine.types.pictures import UnusablePhotoError

_FIT = {
    Fit.SAME: "has the original's size",
    Fit.RESIZED: "is of another size than the original, of the same proportions",
    Fit.CROPPED: "is cropped",
    Fit.STRAIGHTENED: "is straightened or turned",
}
_FAULTS = {
    VerificationFault.OUTSIDE_CHANGED: "Colors differ outside of the changed regions.",
    VerificationFault.OPENING_GONE: "A door or window is gone.",
    VerificationFault.OPENING_ADDED: "A door or window was added.",
    VerificationFault.OPENING_MOVED: "A door or window is not where it was.",
    VerificationFault.WALLS_CHANGED: "Walls, or edges of the room, are not as they were.",
    VerificationFault.UNDECLARED_CHANGE: "Something changed beside what is said to be altered.",
}
_MAX_LISTED_REGIONS = 8


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """Two files, the declared alterations, and the digests that a page printed for them, if any."""

    original: Path
    altered: Path
    declared: tuple[Enhancement, ...] = ()
    published: tuple[str, str] | None = None

    @classmethod
    def of(
        cls, photos: Sequence[Path], declared: Sequence[Enhancement], published: tuple[str, str] | None
    ) -> "VerifyRequest":
        """The request in the arguments.

        Parameters
        ----------
        photos : Sequence of Path
            The original and the altered file, in this order.
        declared : Sequence of Enhancement
            The declared alterations; may be empty.
        published : tuple of str or None
            The SHA-256 of both files as published, in hexadecimal of any case; None where not given.

        Returns
        -------
        VerifyRequest
            With digests in lower case.

        Raises
        ------
        UsageError
            Unless there are two files, no folders, and valid SHA-256 digests.
        """
        if len(photos) != 2 or any(path.is_dir() for path in photos):
            raise UsageError("--verify needs two files: ORIGINAL ALTERED.")
        for digest in published or ():
            if len(digest) != 64 or set(digest.lower()) - set("0123456789abcdef"):
                raise UsageError(f"--sha256: '{digest[:80]}' is no SHA-256, 64 hexadecimal digits.")
        lowered = (published[0].lower(), published[1].lower()) if published else None
        return cls(photos[0], photos[1], tuple(declared), lowered)


@dataclass(frozen=True, slots=True)
class PairFinding:
    """The finding: the digests of both files, the statement in the altered file, and the comparison.

    `same_files`: whether each is the published file, None where no digests were given. Where `verification` is
    None, `message` says why the files cannot be compared.
    """

    digests: tuple[str, str]
    statement: Statement
    same_files: tuple[bool, bool] | None
    verification: Verification | None
    message: str = ""

    @property
    def passed(self) -> bool:
        """Whether only the changed regions differ, and both are the published files, if digests were given."""
        return self.verification is not None and self.verification.passed and all(self.same_files or ())


def verify_files(asked: VerifyRequest) -> PairFinding:
    """Read both files and compare them.

    Parameters
    ----------
    asked : VerifyRequest
        The files and the claims about them.

    Returns
    -------
    PairFinding
        Without a verification where the two files cannot be compared.

    Raises
    ------
    UsageError
        For a file that is no photo or cannot be read.
    """
    original, altered = _read_photo(asked.original), _read_photo(asked.altered)
    digests = original.digest, altered.digest
    same = None
    if asked.published is not None:
        same = digests[0] == asked.published[0], digests[1] == asked.published[1]
    statement = read_statement(asked.altered.read_bytes())
    try:
        found = verify_pictures(
            original.pixels, altered.pixels, (original.profile, altered.profile), asked.declared
        )
    except NotComparable as error:
        return PairFinding(digests, statement, same, None, str(error))
    return PairFinding(digests, statement, same, found)


def _read_photo(path: Path) -> DecodedPhoto:
    try:
        with path.open("rb") as stream:
            return decode(stream)
    except UnusablePhotoError as error:
        raise UsageError(f"{path}: {error.message}") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error


def write_json(found: PairFinding) -> str:
    """Write the finding as a JSON document.

    Parameters
    ----------
    found : PairFinding
        The finding.

    Returns
    -------
    str
        Lines without a final line break; `comparison` is null where the two files cannot be compared.
    """
    compared = found.verification
    same = found.same_files
    document = {
        "passed": found.passed,
        "original": {"sha256": found.digests[0], "isPublished": same and same[0]},
        "altered": {
            "sha256": found.digests[1],
            "isPublished": same and same[1],
            "digitalSourceType": found.statement.source_type,
            "description": found.statement.description,
        },
        "message": found.message,
        "comparison": None if compared is None else _write_comparison(compared),
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _write_comparison(compared: Verification) -> Mapping[str, object]:
    return {
        "fit": compared.fit,
        "sharedShare": round(compared.shared, 4),
        "globalLight": compared.global_light,
        "changedShare": round(compared.changed_share, 4),
        "regions": [
            {"share": round(each.share, 5), "box": [round(side, 4) for side in each.box], "shows": each.shows}
            for each in compared.regions
        ],
        "outside": compared.outside and {name: round(value, 3) for name, value in asdict(compared.outside).items()},
        "openings": {
            "watched": compared.openings,
            "gone": compared.openings_gone,
            "added": compared.openings_added,
            "displacement": round(compared.moved, 4),
        },
        "wallsLost": round(compared.walls_lost, 4),
        "faults": list(compared.faults),
    }


def write_text(found: PairFinding) -> str:
    """Write the finding in words.

    Parameters
    ----------
    found : PairFinding
        The finding.

    Returns
    -------
    str
        Lines without a final line break.
    """
    return "\n".join(_write_lines(found))


def _write_lines(found: PairFinding) -> Iterator[str]:
    same = found.same_files
    for name, digest, place in (("Original", found.digests[0], 0), ("Altered", found.digests[1], 1)):
        known = "" if same is None else ("  the published file" if same[place] else "  NOT the published file")
        yield f"{name + ':':10}sha256 {digest}{known}"
    says = " ".join(filter(None, (found.statement.source_type, found.statement.description)))
    yield f"The altered file says of itself: {says or 'nothing (copies often lose it)'}"
    if found.verification is None:
        yield f"CANNOT BE COMPARED. {found.message}"
        return
    yield from _write_comparison_lines(found.verification)
    if found.passed:
        yield "HOLDS: nothing but the changed regions differs beyond the limits."
    elif found.verification.passed:
        yield "DOES NOT HOLD: these are not the published files, though the pictures agree."
    else:
        yield f"DOES NOT HOLD: {' '.join(_FAULTS[each] for each in found.verification.faults)}"


def _write_comparison_lines(compared: Verification) -> Iterator[str]:
    part = "" if compared.shared > 0.995 else f", and shows {compared.shared:.0%} of it"
    yield f"The altered picture {_FIT[compared.fit]}{part}."
    if compared.global_light:
        yield "The light of the whole picture changed, as at another hour: colors are not compared, shapes are."
    count = len(compared.regions)
    what = "Regions with other shapes" if compared.global_light else "Changed regions"
    yield f"{what}: {count}, {compared.changed_share:.1%} of the picture."
    for region in compared.regions[:_MAX_LISTED_REGIONS]:
        yield _write_region_line(region)
    if count > _MAX_LISTED_REGIONS:
        yield f"  and {count - _MAX_LISTED_REGIONS} smaller"
    if (outside := compared.outside) is not None:
        yield (
            f"Outside of them ({outside.share:.0%} of the picture) colors differ by "
            f"{outside.median:.2f} in the middle, {outside.p95:.2f} for 95 of 100 pixels, "
            f"{outside.maximum:.1f} at most (CIEDE2000; 1 is just noticeable)."
        )
    yield (
        f"Doors and windows watched: {compared.openings}; gone {compared.openings_gone}, "
        f"added {compared.openings_added}, moved by {compared.moved:.1%} of the long side at most."
    )


def _write_region_line(region: ChangedRegion) -> str:
    left, top, right, bottom = region.box
    where = f"from {left:.0%}, {top:.0%} to {right:.0%}, {bottom:.0%} (from the left, from the top)"
    return f"  {region.share:6.1%}  {region.shows.replace('_', ' ')}, {where}"
