"""Writes a trained net as ONNX for OpenCV to run, batch norms folded in; and reads it to learn on."""

import copy
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

OPSET = 17


def write_onnx(net: nn.Module, path: Path, outputs: tuple[str, str] = ("labels", "facts")) -> None:
    """Write the net; its input `picture` may have any sides that are multiples of 32."""
    plain = copy.deepcopy(net).cpu().eval().float()
    _fold(plain)
    free = {2: "height", 3: "width"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        plain,
        (torch.zeros(1, 3, 256, 384),),
        str(path),
        input_names=["picture"],
        output_names=list(outputs),
        dynamic_axes={"picture": free, outputs[0]: free},
        opset_version=OPSET,
        dynamo=False,
    )


def read_onnx(net: nn.Module, path: Path) -> None:
    """Give the net the weights that `write_onnx` wrote of one like it; its batch norms start anew.

    Raises KeyError where the file is of another net.
    """
    kept = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in _initializers(path)}
    state = net.state_dict()
    for name in state:
        if name in kept:
            state[name] = kept.pop(name)
    # A convolution's folded bias is its batch norm's.
    for name, module in net.named_modules():
        if isinstance(module, nn.BatchNorm2d):
            before, place = name.rsplit(".", 1)
            state[f"{name}.bias"] = kept.pop(f"{before}.{int(place) - 1}.bias")
            state[f"{name}.weight"] = torch.ones_like(state[f"{name}.weight"])
            state[f"{name}.running_mean"] = torch.zeros_like(state[f"{name}.running_mean"])
            state[f"{name}.running_var"] = torch.full_like(state[f"{name}.running_var"], 1 - module.eps)
    net.load_state_dict(state)


def _initializers(path: Path) -> list[onnx.TensorProto]:
    return list(onnx.load(str(path)).graph.initializer)


def _fold(module: nn.Module) -> None:
    """Put each batch norm's scale and shift into the convolution before it."""
    for child in module.children():
        _fold(child)
    if not isinstance(module, nn.Sequential):
        return
    for place, (first, second) in enumerate(zip(list(module), list(module)[1:], strict=False)):
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
            module[place] = nn.utils.fusion.fuse_conv_bn_eval(first, second)
            module[place + 1] = nn.Identity()
