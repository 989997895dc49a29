"""Makes the pictures of options anew: `PYTHONPATH=. .venv/bin/python deploy/landing/options.py`."""

import io

import numpy as np
from files import FOLDER, write_within
from PIL import Image

from app.portal import option_pictures
from app.portal.public import examples
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext

MOST_BYTES = 20_000


def main() -> None:
    """Run the engine over the scenes with each value of each option."""
    for each in option_pictures.list_pictures():
        photo = (examples.STATIC / each.scene).read_bytes()
        context = EngineContext(order_seed=examples.SEED)
        done = PictureEngine().enhance(io.BytesIO(photo), each.request, context)
        if done.picture is None or not done.report.passed or done.report.declined:
            raise SystemExit(f"{each.file}: {done.report}")
        picture = Image.open(io.BytesIO(done.picture.content)).convert("RGB")
        box = tuple(round(side * share) for side, share in zip(picture.size * 2, each.box, strict=True))
        size = (option_pictures.WIDTH, option_pictures.HEIGHT)
        small = picture.resize(size, Image.Resampling.LANCZOS, box=box)
        write_within(FOLDER.parents[1] / each.file, np.asarray(small), MOST_BYTES)


if __name__ == "__main__":
    main()
