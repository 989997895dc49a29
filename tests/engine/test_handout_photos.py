"""Real photos and real attack files, where the hand-out folder exists beside the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PHOTOS = ROOT.parent / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the hand-out photos are not here")

# Run apart, so that a memory limit and a crash stay there.
ATTACK = """
import resource, sys, warnings
from pathlib import Path
limit = 3584 << 20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
warnings.simplefilter("ignore")
from engine.pipeline import PictureEngine
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.pictures import UnusablePhotoError
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        with path.open("rb") as photo:
            PictureEngine().enhance(photo, EditRequest(enhancements=(Enhancement.SKY, Enhancement.HDR)))
    except UnusablePhotoError:
        print("refused", path.name)
    else:
        print("worked", path.name)
"""


@pytest.mark.long
@needs_photos
def test_every_hostile_file_is_refused_or_worked_within_memory_and_time() -> None:
    command = [sys.executable, "-c", ATTACK, str(PHOTOS / "hostile")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == len(list((PHOTOS / "hostile").iterdir()))
    assert "refused sharp_truncated.jpg" in done.stdout
    assert "worked pillow_invalid-exif.jpg" in done.stdout
