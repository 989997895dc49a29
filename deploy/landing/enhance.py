"""Runs our own engine over the rendered scenes: `PYTHONPATH=. .venv/bin/python deploy/landing/enhance.py`.

Writes each example's result, the copies for small screens, and what the engine's checks measured.
"""

import io

import numpy as np
from files import FOLDER, write_within
from PIL import Image

from app.portal.public import examples
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext

MOST_BYTES, MOST_NARROW_BYTES = 150_000, 45_000


def main() -> None:
    """Make everything anew from the scenes."""
    reports = {}
    for example in examples.EXAMPLES:
        photo = (examples.STATIC / example.before).read_bytes()
        context = EngineContext(order_seed=examples.SEED)
        done = PictureEngine().enhance(io.BytesIO(photo), example.request, context)
        if done.picture is None or not done.report.passed or done.report.declined:
            raise SystemExit(f"{example.name}: {done.report}")
        _write(example.after, done.picture.content, MOST_BYTES)
        _write(examples.name_narrow_file(example.before), photo, MOST_NARROW_BYTES)
        _write(examples.name_narrow_file(example.after), done.picture.content, MOST_NARROW_BYTES)
        reports[example.name] = done.report
    (FOLDER / "reports.json").write_bytes(examples.report_adapter().dump_json(reports, indent=1) + b"\n")


def _write(file: str, content: bytes, most_bytes: int) -> None:
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    width = examples.NARROW if file.endswith(f"-{examples.NARROW}.jpg") else examples.WIDTH
    size = (width, round(picture.height * width / picture.width))
    write_within(FOLDER.parents[1] / file, np.asarray(picture.resize(size, Image.Resampling.LANCZOS)), most_bytes)


if __name__ == "__main__":
    main()
