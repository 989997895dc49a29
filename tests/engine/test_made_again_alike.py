"""The same recipe gives the same bytes in another process, however many threads and whatever its hash seed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.types.enhancements import Enhancement

ROOT = Path(__file__).resolve().parents[2]
PHOTOS = sorted((ROOT.parent / "shared" / "photos" / "exterior").glob("ext07*.jpg"))
"""One of the hand-out photos, where they are."""


def digests(threads: int, hash_seed: str) -> dict[str, str | None]:
    command = [sys.executable, "-m", "tests.engine.remade_pictures", str(threads), *map(str, PHOTOS)]
    # OpenBLAS, which multiplies matrices, rounds otherwise with another number of threads.
    told = {**os.environ, "PYTHONHASHSEED": hash_seed, "OPENBLAS_NUM_THREADS": hash_seed}
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, timeout=550, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.long
def test_every_enhancement_gives_the_same_bytes_in_another_process() -> None:
    first, second = digests(threads=0, hash_seed="1"), digests(threads=1, hash_seed="2")
    assert {name for name in first if first[name] != second[name]} == set()
    made = {name: digest for name, digest in first.items() if digest}
    assert {step for name in made for step in Enhancement if step in name} == set(Enhancement)
    assert len(set(made.values())) == len(made)
