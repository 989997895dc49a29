"""Makes the pictures of styles anew: `PYTHONPATH=. .venv/bin/python deploy/landing/styles.py`."""

import io

import numpy as np
from files import FOLDER, write_within
from PIL import Image

from app.portal import style_pictures
from app.portal.public import examples
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.enhancements import Style

MOST_BYTES = 7_400


def main() -> None:
    """Furnish the empty room in each style."""
    photo = (examples.STATIC / style_pictures.SCENE).read_bytes()
    for style in Style:
        context = EngineContext(order_seed=examples.SEED)
        done = PictureEngine().enhance(io.BytesIO(photo), style_pictures.build_request(style), context)
        if done.picture is None or not done.report.passed or done.report.declined:
            raise SystemExit(f"{style}: {done.report}")
        picture = Image.open(io.BytesIO(done.picture.content)).convert("RGB")
        box = tuple(round(side * share) for side, share in zip(picture.size * 2, style_pictures.BOX, strict=True))
        size = (style_pictures.WIDTH, style_pictures.HEIGHT)
        small = picture.resize(size, Image.Resampling.LANCZOS, box=box)
        write_within(FOLDER.parents[1] / style_pictures.name_file(style), np.asarray(small), MOST_BYTES)


if __name__ == "__main__":
    main()
