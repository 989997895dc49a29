"""Writes a trained net as ONNX, with the batch norms folded into the convolutions, for OpenCV to run."""

import copy
from pathlib import Path

import torch
from torch import nn

OPSET = 17


def write_onnx(net: nn.Module, path: Path, outputs: tuple[str, str] = ("labels", "facts")) -> None:
    """Write the net; its input `picture` may have any sides that are multiples of 32."""
    plain = copy.deepcopy(net).eval().float()
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
