"""Trains the net that sees scenes: `python -m training.train OUT.pt --minutes 30 --renders FOLDER`."""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from app.engine.scene.kinds import Kind
from training.augment import IGNORED, PARTLY_KNOWN
from training.dataset import batches, pools
from training.export import write_onnx
from training.going_on import take_over
from training.model import SceneNet, new_net, parameters

BATCH, SEED, HIGHEST_RATE, LAST_RATE = 16, 6, 3e-3, 2e-5
WARM_UP, SAVED_EVERY = 60, 180.0
LASTING = 3000
# Sums in 16 bits are many times faster where the processor has them, and many times slower where it has not.
HALVED = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
# Sky is what the steps rely on most, so that it counts more than other kinds.
KIND_WEIGHTS = {Kind.SKY: 1.5, Kind.LAWN: 1.3, Kind.GLASS: 1.3, Kind.WATER: 1.5, Kind.LAMP: 8.0}


def loss_of(logits: Tensor, indoors: Tensor, labels: Tensor, inside: Tensor) -> Tensor:
    """Cross-entropy of the kinds, the overlap of the sky, and the cross-entropy of indoors."""
    weights = torch.tensor([KIND_WEIGHTS.get(kind, 1.0) for kind in Kind])
    exact = torch.where(labels < len(Kind), labels, IGNORED)
    kinds = logits.sum() * 0
    if (exact != IGNORED).any():
        kinds = functional.cross_entropy(logits, exact, weights, ignore_index=IGNORED, label_smoothing=0.03)
    # Where only a set of kinds is known, its kinds together should be all.
    log_shares = torch.log_softmax(logits, 1)
    for label, among in PARTLY_KNOWN.items():
        together = torch.logsumexp(log_shares[:, list(among)], 1)
        kinds = kinds - (together * (labels == label)).mean()
    known = (labels != IGNORED).float()
    sky, truth = torch.softmax(logits, 1)[:, Kind.SKY] * known, (labels == int(Kind.SKY)).float()
    both = (sky * truth).sum((1, 2)) + 8
    overlap = 1 - (2 * both / (sky.sum((1, 2)) + truth.sum((1, 2)) + 16)).mean()
    gate = functional.binary_cross_entropy_with_logits(indoors.flatten(), inside)
    return kinds + 0.5 * overlap + 0.3 * gate


def as_input(pictures: np.ndarray) -> Tensor:
    """N x height x width x 3 bytes as the net takes them."""
    values = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 127.5 - 1
    return values.contiguous(memory_format=torch.channels_last)


Loss = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def trained(
    net: SceneNet,
    given: Iterator[tuple[np.ndarray, ...]],
    minutes: float,
    highest: float,
    out: Path,
    loss_of: Loss = loss_of,
) -> None:
    """Train for so long, the rate falling along half a cosine; a checkpoint and the ONNX are kept all along."""
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), highest, weight_decay=0.02)
    average = torch.optim.swa_utils.AveragedModel(net, avg_fn=_averaged, use_buffers=True)
    started = kept = time.monotonic()
    count, losses = 0, []
    while (spent := time.monotonic() - started) < minutes * 60:
        share = spent / (minutes * 60)
        rate = LAST_RATE + (highest - LAST_RATE) * (1 + np.cos(np.pi * share)) / 2
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (count + 1) / WARM_UP)
        pictures, labels, inside = next(given)
        with torch.autocast("cpu", torch.bfloat16, enabled=HALVED):
            logits, indoors = net(as_input(pictures))
        loss = loss_of(
            logits.float(), indoors.float(), torch.from_numpy(labels).long(), torch.from_numpy(inside).float()
        )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(net)
        count += 1
        losses.append(float(loss))
        if time.monotonic() - kept > SAVED_EVERY:
            kept = time.monotonic()
            print(f"{spent / 60:5.1f} min, {count * BATCH} samples, loss {np.mean(losses[-100:]):.3f}", flush=True)
            save(average.module, out)
    save(average.module, out)
    print(f"{count * BATCH} samples seen, loss {np.mean(losses[-100:]):.3f}")


def _averaged(kept: Tensor, new: Tensor, count: Tensor) -> Tensor:
    """The mean over the last LASTING steps, fewer at first: one net alone sees strange photos now so, now so."""
    return kept + (new - kept) / min(float(count) / 4 + 2, LASTING)


def save(net: SceneNet, out: Path) -> None:
    """Keep the net as a checkpoint and as ONNX beside it."""
    torch.save(net.state_dict(), out)
    write_onnx(net, out.with_suffix(".onnx"))


def _fill(queue: "multiprocessing.Queue[tuple[np.ndarray, ...]]", arguments: argparse.Namespace) -> None:
    """The loader's process: batch after batch."""
    cv2.setNumThreads(1)
    chance = np.random.default_rng(arguments.seed)
    given = pools(arguments.renders, frozenset(arguments.held_out), chance, around=arguments.views)
    print(
        f"{len(given.outside)} photos outside, {len(given.inside)} inside, {len(given.rendered)} renders, "
        f"{len(given.drawn)} drawn scenes, {len(given.around)} views of panoramas, {len(given.lamps)} lamps",
        flush=True,
    )
    for batch in batches(given, BATCH, chance):
        queue.put(batch)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the checkpoint; the ONNX is written beside it")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--renders", type=Path, help="folder of rendered scenes (python -m training.render)")
    parser.add_argument("--views", type=Path, help="folder of views (python -m training.panoramas)")
    parser.add_argument("--start", type=Path, help="a checkpoint, or the ONNX that ships, to go on from")
    parser.add_argument("--held-out", nargs="*", default=[], help="photos (stems) not to learn from")
    parser.add_argument("--rate", type=float, default=HIGHEST_RATE, help="the learning rate at first")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser.parse_args()


def main() -> int:
    """Train and write; 1 when there is nothing to learn from."""
    arguments = _arguments()
    torch.set_num_threads(1)
    net = new_net(arguments.seed)
    print(f"{parameters(net)} parameters", flush=True)
    queue: multiprocessing.Queue[tuple[np.ndarray, ...]] = multiprocessing.Queue(4)
    loader = multiprocessing.Process(target=_fill, args=(queue, arguments), daemon=True)
    loader.start()
    if arguments.start and arguments.start.suffix == ".onnx":
        take_over(net, arguments.start, as_input(queue.get()[0]))
    elif arguments.start:
        net.load_state_dict(torch.load(arguments.start, weights_only=True))
    trained(net, iter(queue.get, None), arguments.minutes, arguments.rate, arguments.out)
    loader.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
