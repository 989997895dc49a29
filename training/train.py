"""Trains the net of labels: `python -m training.train OUT.pt --minutes 60 --rooms FOLDER --houses FOLDER`."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from engine.segmentation.labels import FACTS, Label
from training.dataset import Pools, batches, ground, group_masks, skies
from training.export import read_onnx, write_onnx
from training.model import TRUNKS, LabelNet
from training.outlines import IGNORED
from training.sources import UNKNOWN, drawn_scenes, facades, made_houses, made_rooms, outlined, views

BATCH, SEED, HIGHEST_RATE, TRUNK_SHARE, LAST_SHARE = 8, 6, 1.5e-3, 0.3, 0.02
WARM_UP, SAVED_EVERY, LASTING = 100, 240.0, 600
# How often each is taken: rooms, outsides, facades of the set alone, views of panoramas, drawn rooms, drawn scenes,
# drawn houses. What was not given is left out, the others as often among each other.
SHARES = (0.48, 0.22, 0.13, 0.07, 0.07, 0.06, 0.15)
DRAWN = 200
# A label counts the more the rarer its pixels are, within bounds; COMMON is the share of one that counts once.
COMMON, STEEPNESS, LEAST_WEIGHT, MOST_WEIGHT = 0.03, 0.4, 0.8, 3.5
# What steps rely on most counts more.
RELIED_ON = {
    Label.SKY: 1.5,
    Label.FACADE: 1.5,
    Label.LAWN: 1.3,
    Label.FLOOR: 1.5,
    Label.WALL: 1.5,
    Label.CABINET: 1.2,
}
GROUP_SHARE, OVERLAP_SHARE, FACT_SHARE, SMOOTHED = 1.0, 0.5, 0.08, 0.03


class Loss:
    """What the net is judged by while it learns."""

    def __init__(self, pixels: np.ndarray, device: torch.device | str = "cpu") -> None:
        """`pixels` says how many pixels each label has in all sources together."""
        shares = np.maximum(pixels / max(pixels.sum(), 1), 1e-6)
        weights = np.clip((COMMON / shares) ** STEEPNESS, LEAST_WEIGHT, MOST_WEIGHT)
        relied_on = np.array([RELIED_ON.get(label, 1.0) for label in Label])
        self.weights = torch.tensor(weights * relied_on, dtype=torch.float32, device=device)
        self.groups = group_masks()

    def __call__(self, logits: Tensor, facts: Tensor, labels: Tensor, known: Tensor) -> Tensor:
        """Cross-entropy of labels and facts, the overlap of each label, and of groups as a whole."""
        exact = torch.where(labels < len(Label), labels, IGNORED)
        total = logits.sum() * 0
        if (exact != IGNORED).any():
            total = functional.cross_entropy(
                logits, exact, self.weights, ignore_index=IGNORED, label_smoothing=SMOOTHED
            )
        log_shares = torch.log_softmax(logits, 1)
        for number, among in self.groups.items():
            where = labels == number
            if where.any():
                together = torch.logsumexp(log_shares[:, among], 1)
                total = total - GROUP_SHARE * (together * where).sum() / where.numel()
        return (
            total + OVERLAP_SHARE * _overlap(log_shares.exp(), exact) + FACT_SHARE * _facts(facts.flatten(1), known)
        )


def _overlap(shares: Tensor, exact: Tensor) -> Tensor:
    """One less the mean overlap (dice) of the labels that the batch holds."""
    known = (exact != IGNORED).float()
    lost = []
    for number in torch.unique(exact).tolist():
        if number == IGNORED:
            continue
        truth, said = (exact == number).float(), shares[:, number] * known
        lost.append(1 - (2 * (truth * said).sum() + 8) / (truth.sum() + said.sum() + 8))
    return torch.stack(lost).mean() if lost else shares.sum() * 0


def _facts(logits: Tensor, known: Tensor) -> Tensor:
    start, total = 0, logits.sum() * 0
    for place, values in enumerate(FACTS.values()):
        part, truth = logits[:, start : start + len(values)], known[:, place]
        if (truth != UNKNOWN).any():
            total = total + functional.cross_entropy(part, truth, ignore_index=UNKNOWN, label_smoothing=SMOOTHED)
        start += len(values)
    return total


class Samples(IterableDataset[tuple[np.ndarray, ...]]):
    """Batches without end, others in each of the loader's processes."""

    def __init__(self, given: Pools, size: int, seed: int) -> None:
        self.given, self.size, self.seed = given, size, seed

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        process = get_worker_info()
        return batches(self.given, self.size, np.random.default_rng([self.seed, process.id if process else 0]))


def as_input(pictures: Tensor) -> Tensor:
    """N x height x width x 3 bytes as the net takes them."""
    values = pictures.permute(0, 3, 1, 2).float() / 127.5 - 1
    return values.contiguous(memory_format=torch.channels_last)


def sums_in_16_bits(device: torch.device) -> torch.autocast:
    """They are many times faster where the processor has them, and many times slower where it has not."""
    has = device.type != "cpu" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=has)


def learn(net: LabelNet, given: Iterator[list[Tensor]], loss_of: Loss, arguments: argparse.Namespace) -> None:
    """Train for so long, the rate falling along half a cosine; the mean of late nets is kept, and its ONNX."""
    net.to(arguments.device, memory_format=torch.channels_last).train()
    trunk = [value for value in net.blocks.parameters() if value.requires_grad]
    rest = [value for name, value in net.named_parameters() if not name.startswith(("blocks", "stem"))]
    optimizer = torch.optim.AdamW([{"params": trunk}, {"params": rest}], weight_decay=0.02)
    average = torch.optim.swa_utils.AveragedModel(net, avg_fn=_averaged, use_buffers=True)
    losses: list[Tensor] = []
    count = 0
    started = kept = time.monotonic()
    while (spent := time.monotonic() - started) < arguments.minutes * 60:
        fallen = LAST_SHARE + (1 - LAST_SHARE) * (1 + np.cos(np.pi * spent / (arguments.minutes * 60))) / 2
        rate = arguments.rate * fallen * min(1, (count + 1) / WARM_UP)
        for group, share in zip(optimizer.param_groups, (TRUNK_SHARE, 1.0), strict=True):
            group["lr"] = rate * share
        pictures, labels, facts = (each.to(arguments.device, non_blocking=True) for each in next(given))
        with sums_in_16_bits(arguments.device):
            logits, said = net(as_input(pictures))
        loss = loss_of(logits.float(), said.float(), labels.long(), facts)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trunk + rest, 2.0)
        optimizer.step()
        average.update_parameters(net)
        count += 1
        losses = [*losses[-99:], loss.detach()]
        if time.monotonic() - kept > SAVED_EVERY:
            kept = time.monotonic()
            _tell(spent, count * arguments.batch, losses)
            save(average.module, arguments.out)
    save(average.module, arguments.out)
    _tell(spent, count * arguments.batch, losses)


def _tell(spent: float, samples: int, losses: list[Tensor]) -> None:
    print(f"{spent / 60:5.1f} min, {samples} samples, loss {torch.stack(losses).mean().item():.3f}", flush=True)


def _averaged(kept: Tensor, new: Tensor, count: Tensor) -> Tensor:
    """The mean over the last LASTING steps, fewer at first: one net alone sees strange photos now so, now so."""
    return kept + (new - kept) / min(float(count) / 4 + 2, LASTING)


def save(net: LabelNet, out: Path) -> None:
    """Keep the net as a checkpoint and as ONNX beside it."""
    torch.save(net.state_dict(), out)
    write_onnx(net, out.with_suffix(".onnx"))


def pools(arguments: argparse.Namespace, chance: np.random.Generator) -> Pools:
    """All sources that are not held out; says how many there are."""
    photos, behind = list(outlined(held=False)), skies(chance)
    groups = (
        [photo for photo in photos if photo.indoors],
        [photo for photo in photos if not photo.indoors],
        list(facades(held=False)),
        list(views(24, chance)),
        list(made_rooms(arguments.rooms)) if arguments.rooms else [],
        list(drawn_scenes(DRAWN, behind, chance)),
        list(made_houses(arguments.houses)) if arguments.houses else [],
    )
    names = ("rooms", "outsides", "facades", "views of panoramas", "drawn rooms", "flat drawn scenes", "houses")
    print(", ".join(f"{len(group)} {name}" for group, name in zip(groups, names, strict=True)), flush=True)
    return Pools(groups, SHARES, behind, ground(arguments.ground))


def pixels_of(given: Pools) -> np.ndarray:
    """How many pixels each label has in the sources, those taken more often counting more."""
    counts = np.zeros(len(Label))
    for group, share, often in zip(given.groups, given.shares, given.often, strict=True):
        for source, likely in zip(group, often, strict=True):
            part = np.bincount(source.labels.ravel(), minlength=256)[: len(Label)] / source.labels.size
            counts += share * likely * part
    return counts


def _go_on_from(start: Path, net: LabelNet) -> None:
    if start.suffix == ".onnx":
        read_onnx(net, start)
    else:
        net.load_state_dict(torch.load(start, weights_only=True))


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the checkpoint; the ONNX is written beside it")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rooms", type=Path, help="folder of drawn rooms (python -m training.quick_rooms)")
    parser.add_argument("--houses", type=Path, help="folder of drawn houses (python -m training.quick_houses)")
    parser.add_argument("--ground", type=Path, help="folder of ground textures, a folder for each kind")
    parser.add_argument("--trunk", choices=sorted(TRUNKS), default="efficientnet-lite0")
    parser.add_argument("--start", type=Path, help="a checkpoint, or the ONNX that ships, to go on from")
    parser.add_argument("--rate", type=float, default=HIGHEST_RATE, help="the learning rate at first")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--device", type=torch.device, default="cpu", help="cpu, or cuda where there is one")
    parser.add_argument("--loaders", type=int, default=1, help="processes that make samples")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    # Threads of OpenCV do not live on in the loader's processes, which would wait for them.
    cv2.setNumThreads(0)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    net = LabelNet(arguments.trunk)
    if arguments.start:
        _go_on_from(arguments.start, net)
    given = pools(arguments, np.random.default_rng(arguments.seed))
    loader = DataLoader(
        Samples(given, arguments.batch, arguments.seed),
        batch_size=None,
        num_workers=arguments.loaders,
        pin_memory=arguments.device.type == "cuda",
    )
    learn(net, iter(loader), Loss(pixels_of(given), arguments.device), arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
