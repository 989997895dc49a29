"""Gives a net that is to learn on what an ONNX file knows: what ships is enough to go on from."""

from collections.abc import Iterator
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.model import SceneNet

UNLIKELY = -4.0


def take_over(net: SceneNet, path: Path, pictures: Tensor) -> None:
    """Give the net the weights of `path`, written by training.export; `pictures` (N x 3 x H x W) set its norms.

    The file's batch norms are folded into its convolutions. Each norm gets the mean and spread that its input has
    on `pictures`, and a scale and shift that undo them: the net answers as the file does and goes on from there.
    """
    kept = {each.name: torch.tensor(numpy_helper.to_array(each)) for each in onnx.load(path).graph.initializer}
    pairs = list(_pairs(net))
    shifts = {norm: kept[f"{name}.bias"] for name, _, norm in pairs if norm is not None}
    for name, convolution, norm in pairs:
        # A file of before a kind was added has fewer outputs; what is new begins unlikely.
        known = kept[f"{name}.weight"]
        convolution.weight.data[: len(known)] = known
        if norm is None and convolution.bias is not None:
            convolution.bias.data[: len(known)] = kept[f"{name}.bias"]
            convolution.bias.data[len(known) :] = UNLIKELY
        if norm is not None:
            # Until it is measured a norm only adds the folded shift.
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.data.fill_(1)
            norm.bias.data.copy_(shifts[norm])
    _measure(net, shifts, pictures)


def _pairs(net: SceneNet) -> Iterator[tuple[str, nn.Conv2d, nn.BatchNorm2d | None]]:
    """Every convolution with its name in the file and the norm behind it, if it has one."""
    norms = dict(net.named_modules())
    for name, module in net.named_modules():
        if isinstance(module, nn.Conv2d):
            behind = norms.get(f"{name[:-1]}1") if name.endswith(".0") else None
            yield name, module, behind if isinstance(behind, nn.BatchNorm2d) else None


def _measure(net: SceneNet, shifts: dict[nn.BatchNorm2d, Tensor], pictures: Tensor) -> None:
    found: dict[nn.BatchNorm2d, tuple[Tensor, Tensor]] = {}

    def note(norm: nn.BatchNorm2d, given: tuple[Tensor, ...]) -> None:
        found[norm] = (given[0].mean((0, 2, 3)), given[0].var((0, 2, 3), unbiased=False))

    hooks = [norm.register_forward_pre_hook(note) for norm in shifts]
    with torch.no_grad():
        net.eval()(pictures)
    for hook in hooks:
        hook.remove()
    for norm, (mean, variance) in found.items():
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.copy_(mean + shifts[norm])
    net.train()
