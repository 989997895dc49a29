"""Brackets fused by the engine and by enfuse, on the handed-out sets and on each three neighbors of them."""

from collections.abc import Iterator

from bench.fusion import compared, subsets
from bench.quality.places import PHOTOS, pictures
from bench.quality.rows import Row, skipped

SETS = ("bracket_window", "bracket_mertens")


def rows() -> Iterator[Row]:
    """One line for each set: MEF-SSIM of both on all its frames, and on how many threes the engine's is higher."""
    for name in SETS:
        files = pictures(PHOTOS / name)
        what = f"MEF-SSIM on {name}: engine / enfuse"
        if not files:
            yield skipped(what, "the frames are not here")
            continue
        try:
            whole, *threes = (compared(name, part) for part in subsets(files))
        except FileNotFoundError:
            yield skipped(what, "enfuse is not installed")
            continue
        higher = whole.ours > whole.enfuse
        yield Row(what, f"{whole.ours:.4f} / {whole.enfuse:.4f}", "higher", higher, f"{whole.frames} frames")
        won = sum(each.ours > each.enfuse for each in threes)
        worst = [f"{each.ours:.4f} / {each.enfuse:.4f}" for each in threes if each.ours <= each.enfuse]
        yield Row(
            f"threes of {name} with the higher MEF-SSIM",
            f"{won} of {len(threes)}",
            f"{len(threes)}",
            not worst,
            f"{len(threes)} threes",
            worst,
        )
