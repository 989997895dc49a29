"""How soon a room's preview is there, from the photo's file: `python -m bench.layout_previews [--photos DIR]`.

For each file of bench/hints that places furniture: seconds until the preview, seconds of processor time of all
threads, and both as a share of what the finished picture takes in the same run.
"""

import argparse
import io
import json
import statistics
import time
from pathlib import Path

from bench.hint_sheets import FILES, read_request
from bench.quality.places import ROOT, SHARED
from bench.tables import say_where, show
from engine.io.photo import decode
from engine.outlook.reading import PhotoOutlooks
from engine.pipeline import apply_effects
from engine.types.edit_request import EditRequest

Times = tuple[float, float]


class _Seen(Exception):
    """Ends the outlook when its preview is there."""


def time_preview(content: bytes, request: EditRequest) -> Times | None:
    """Seconds and processor seconds until the preview of a layout; None if the room is not furnished."""
    begun, busy = time.monotonic(), time.process_time()
    times: list[Times] = []

    def keep(_picture: bytes) -> None:
        times.append((time.monotonic() - begun, time.process_time() - busy))
        raise _Seen

    try:
        PhotoOutlooks().read(io.BytesIO(content), request, keep_preview=keep)
    except _Seen:
        return times[0]
    return None


def time_result(content: bytes, request: EditRequest) -> Times:
    """Seconds and processor seconds until the finished picture with its report."""
    begun, busy = time.monotonic(), time.process_time()
    apply_effects(decode(io.BytesIO(content)), request)
    return time.monotonic() - begun, time.process_time() - busy


def main() -> None:
    """Time all rooms and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, default=SHARED, help="where the photos are")
    photos = parser.parse_args().photos
    rows: list[tuple[str, Times, Times]] = []
    for file in sorted(FILES.glob("*.json")):
        document = json.loads(file.read_bytes())
        places = (photos / document["photo"], ROOT / document["photo"])
        path = next((each for each in places if each.exists()), None)
        if path is None or not document["hints"].get("placements"):
            continue
        content, request = path.read_bytes(), read_request(document)
        if not rows:
            time_preview(content, request)
        if (preview := time_preview(content, request)) is not None:
            rows.append((file.stem, preview, time_result(content, request)))
    say_where()
    head = ("room", "seconds", "processor seconds", "of the finished picture's")
    lines = [(name, f"{one[0]:.2f}", f"{one[1]:.2f}", f"{one[1] / two[1]:.0%}") for name, one, two in rows]
    show("Previews of furnished rooms", head, lines)
    print(f"median {statistics.median(one[0] for _, one, _ in rows):.2f} s")


if __name__ == "__main__":
    main()
