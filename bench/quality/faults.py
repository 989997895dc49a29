"""Whether the quality report catches what is wrong and passes what is right: planted faults and good results."""

from collections.abc import Iterator

from bench.quality.places import PHOTOS
from bench.quality.rows import Row, skipped
from bench.quality_faults import counted

MOST = 0.05


def rows() -> Iterator[Row]:
    """Two lines: faults missed, and good results called faulty."""
    if not PHOTOS.is_dir():
        yield skipped("planted faults missed, false alarms", "the photos are not here")
        return
    faulty, missed, good, alarms = counted(PHOTOS)
    for what, wrong, of in (
        ("planted faults missed", missed, faulty),
        ("good results called faulty", alarms, good),
    ):
        share = wrong / max(of, 1)
        yield Row(
            what, f"{wrong} of {of} ({share:.1%})", "< 5 % of ≥ 60", share < MOST and of >= 60, f"{of} results"
        )
