"""What content credentials cost a picture: bytes, seconds, memory, each file in a fresh process. Linux only.

Usage: python -m bench.credentials [PHOTO…] (without one, a drawn photo of 24 megapixels)
"""

import io
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import keep_demo_identity
from app.domain.content_credentials import CredentialKind, claim_labeled, claim_result
from engine.io.photo import DecodedPhoto, decode, encode
from engine.types.enhancements import Enhancement
from engine.types.media import MediaType
from engine.types.report import Maker, QualityReport, StepOutcome
from tests import scenes

MEDIA_TYPES = {"JPEG": MediaType.JPEG, "PNG": MediaType.PNG, "WEBP": MediaType.WEBP}
STEPS = (Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT)
TRIES = 3


def _megabytes(name: str) -> float:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise SystemExit(f"/proc/self/status has no {name}")
    return int(found[1]) / 1024


def _signed(content: bytes, media_type: MediaType, folder: str) -> tuple[int, int, float, float]:
    """Bytes added to the result and to a copy made of it, the quickest try in seconds, megabytes of memory."""
    identity = keep_demo_identity(Path(folder) / "demo.pem", datetime.now(UTC))
    signer = C2paCredentials(CredentialKind.DEMO, identity, "bench", None)
    report = QualityReport(
        steps=tuple(StepOutcome(enhancement=each, applied=True, maker=Maker.WORKER) for each in STEPS)
    )
    before, seconds = _megabytes("VmRSS"), []
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    for _ in range(TRIES):
        begun = time.monotonic()
        signed = signer.sign(content, media_type, claim_result(report, media_type, "0" * 64))
        seconds.append(time.monotonic() - begun)
    copy = signer.sign(content, media_type, claim_labeled("Digitally altered", media_type, "0" * 64, signed))
    added = len(signed) - len(content), len(copy) - len(content)
    return *added, min(seconds), _megabytes("VmHWM") - before


def _photos() -> Iterator[tuple[str, DecodedPhoto]]:
    named = [(Path(each).name, Path(each).read_bytes()) for each in sys.argv[1:]]
    for name, content in named or [("drawn", scenes.encoded(scenes.house(6000, 4000)))]:
        yield name, decode(io.BytesIO(content))


def main() -> None:
    """Print a line for each photo in each format that results have."""
    print(f"load {os.getloadavg()[0]:.1f}")
    print(f"{'photo':32} {'format':6} {'bytes':>10} {'result +':>9} {'labeled +':>10} {'seconds':>8} {'MB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, photo in _photos():
            for format_name, media_type in MEDIA_TYPES.items():
                content = encode(photo.pixels, replace(photo, format=format_name)).content
                with get_context("spawn").Pool(1) as fresh:
                    result, labeled, seconds, megabytes = fresh.apply(_signed, (content, media_type, folder))
                told = f"{result:>9,} {labeled:>10,} {seconds:>8.3f} {megabytes:>6.0f}"
                print(f"{name[:32]:32} {format_name:6} {len(content):>10,} {told}")


if __name__ == "__main__":
    main()
