"""Starts the server; one line of JSON on standard output tells each thing that happens.

build/diffusion/bin/python -m tests.diffusion_server --port 8001
"""

import argparse
import json
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.diffusion_server.interface import Interface
from tests.diffusion_server.pipeline import OWN_SIZE, STEPS, TinyDiffusion


class Quiet(WSGIRequestHandler):
    """Requests are told by the interface."""

    def log(self, *_: Any) -> None:
        """Say nothing."""


def tell(event: str, **about: Any) -> None:
    """Write one line, at once."""
    print(json.dumps({"event": event, **about}), flush=True)


def main() -> None:
    """Load and compile, then serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.diffusion_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--key", help="the bearer key that every request must have")
    parser.add_argument("--cache", type=Path, help="where what JAX compiled is kept for the next start")
    parser.add_argument(
        "--stop-at-step",
        type=int,
        choices=range(1, STEPS),
        help="halt like SIGSTOP after this step of a picture, half made",
    )
    chosen = parser.parse_args()
    ready = False

    def progress(done: int) -> None:
        if ready:
            tell("step", done=done, of=STEPS)
            if done == chosen.stop_at_step:
                os.kill(os.getpid(), signal.SIGSTOP)

    with tempfile.TemporaryDirectory() as folder:
        model = TinyDiffusion(chosen.cache or Path(folder), progress)
        # The first picture is slow: what makes them is compiled for it.
        model.edit(Image.new("RGB", OWN_SIZE), Image.new("L", OWN_SIZE, 255), "a room")
    ready = True
    server = make_server(chosen.host, chosen.port, Interface(model, chosen.key, tell), True, 1, Quiet)
    tell("ready", url=f"http://{chosen.host}:{server.server_port}/v1")
    server.serve_forever()


if __name__ == "__main__":
    main()
