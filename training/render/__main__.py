"""`python -m training.render OUT --scenes N --seed S`: render scenes with labels into OUT."""

import argparse
import sys
import time
from pathlib import Path

import mitsuba as mi

from training.render.sets import SORTS, drawn, save


def main() -> int:
    """Render outdoor scenes and rooms, one .npz each; a scene depends on its number and the seed only."""
    parser = argparse.ArgumentParser(prog="python -m training.render", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=600, help="how many scenes")
    parser.add_argument("--first", type=int, default=0, help="the first scene's number")
    parser.add_argument("--sort", default="house", choices=list(SORTS), help="rooms or single lamps, not houses")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rays", type=int, default=16, help="rays a pixel")
    parser.add_argument(
        "--variant", default="scalar_rgb", help="llvm_ad_rgb is quicker where LLVM 16 or newer is found"
    )
    chosen = parser.parse_args()
    mi.set_variant(chosen.variant)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number in range(chosen.first, chosen.first + chosen.scenes):
        begun = time.perf_counter()
        target = chosen.out / f"{chosen.sort}_{chosen.seed}_{number:05d}.npz"
        if not target.exists():
            save(target, drawn(chosen.seed, number, chosen.sort, chosen.rays))
            sys.stdout.write(f"{target.name} {time.perf_counter() - begun:.1f} s\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
