"""Trains the net that sees rooms: `python -m training.room_train OUT.pt --rooms FOLDER --minutes 60`."""

import argparse
import multiprocessing
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from app.engine.room.surface import PLACE, Surface
from app.engine.scene.kinds import Kind
from app.engine.scene.net import WEIGHTS
from training.augment import IGNORED
from training.going_on import take_over
from training.model import SceneNet, parameters
from training.room_dataset import room_batches, room_pools
from training.train import BATCH, HIGHEST_RATE, as_input, trained

RARER = -2.0
"""How much less likely a surface begins than the kind of the scene's net that it is a part of."""
FLOOR_OVERLAP = 0.7
_BEGINS_AS = {
    Surface.FLOOR: (Kind.FLOOR, 0.0),
    Surface.WALL: (Kind.WALL, 0.0),
    Surface.CEILING: (Kind.CEILING, 0.0),
    Surface.WINDOW: (Kind.WINDOW, 0.0),
    Surface.DOOR: (Kind.WALL, RARER),
    Surface.FURNITURE: (Kind.THINGS, 0.0),
    Surface.CABINET: (Kind.THINGS, RARER),
    Surface.COUNTERTOP: (Kind.THINGS, RARER),
    Surface.RUG: (Kind.FLOOR, RARER),
    Surface.CLUTTER: (Kind.THINGS, RARER),
    Surface.OTHER: (Kind.THINGS, RARER),
}
_WEIGHTS = {Surface.DOOR: 1.5, Surface.COUNTERTOP: 2.0, Surface.CLUTTER: 2.0, Surface.RUG: 1.5, Surface.FLOOR: 1.5}


def room_loss(logits: Tensor, indoors: Tensor, labels: Tensor, _inside: Tensor) -> Tensor:
    """Cross-entropy of the surfaces, and the overlap of the floor."""
    weights = torch.tensor([_WEIGHTS.get(surface, 1.0) for surface in Surface])
    # The other output is not learnt here, but belongs to the sum.
    loss = functional.cross_entropy(logits, labels, weights, ignore_index=IGNORED, label_smoothing=0.02)
    loss = loss + indoors.sum() * 0
    shares = torch.softmax(logits, 1)
    known = (labels != IGNORED).float()
    floors = [PLACE[Surface.FLOOR], PLACE[Surface.RUG]]
    floor = shares[:, floors].sum(1) * known
    truth = torch.isin(labels, torch.tensor(floors)).float()
    both = (floor * truth).sum((1, 2)) + 8
    return loss + FLOOR_OVERLAP * (1 - (2 * both / (floor.sum((1, 2)) + truth.sum((1, 2)) + 16)).mean())


def begun(pictures: Tensor) -> SceneNet:
    """A net for surfaces that knows what the scene's net knows."""
    scene = SceneNet()
    take_over(scene, WEIGHTS, pictures)
    net = SceneNet(len(Surface))
    kept = {name: value for name, value in scene.state_dict().items() if not name.startswith("kinds.")}
    net.load_state_dict(kept, strict=False)
    for surface, (kind, less) in _BEGINS_AS.items():
        net.kinds.weight.data[PLACE[surface]] = scene.kinds.weight.data[kind]
        bias = scene.kinds.bias
        if net.kinds.bias is not None and bias is not None:
            net.kinds.bias.data[PLACE[surface]] = bias.data[kind] + less
    return net


def _fill(queue: "multiprocessing.Queue[tuple[np.ndarray, ...]]", arguments: argparse.Namespace) -> None:
    cv2.setNumThreads(1)
    chance = np.random.default_rng(arguments.seed)
    given = room_pools(arguments.rooms, frozenset(arguments.held_out))
    print(f"{len(given.photos)} photos, {len(given.made)} made rooms", flush=True)
    for batch in room_batches(given, BATCH, chance):
        queue.put(batch)


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the checkpoint; the ONNX is written beside it")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rooms", type=Path, nargs="+", default=[], help="folders of made rooms")
    parser.add_argument("--start", type=Path, help="a checkpoint or a room ONNX to go on from, not the scene's net")
    parser.add_argument("--held-out", nargs="*", default=[], help="photos (stems) not to learn from")
    parser.add_argument("--rate", type=float, default=HIGHEST_RATE / 2)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    queue: multiprocessing.Queue[tuple[np.ndarray, ...]] = multiprocessing.Queue(4)
    loader = multiprocessing.Process(target=_fill, args=(queue, arguments), daemon=True)
    loader.start()
    pictures = as_input(queue.get()[0])
    if arguments.start is None:
        net = begun(pictures)
    elif arguments.start.suffix == ".onnx":
        take_over(net := SceneNet(len(Surface)), arguments.start, pictures)
    else:
        net = SceneNet(len(Surface))
        net.load_state_dict(torch.load(arguments.start, weights_only=True))
    print(f"{parameters(net)} parameters", flush=True)
    trained(net, iter(queue.get, None), arguments.minutes, arguments.rate, arguments.out, room_loss)
    loader.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
