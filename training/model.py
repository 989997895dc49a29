"""The net that tells kinds of surface apart: residual blocks down to 1/32, a light pyramid back up to 1/4."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from app.engine.scene.kinds import Kind

# Width, inner width and number of the residual blocks of each stage; every stage halves the size once.
STAGES = ((48, 32, 2), (72, 48, 3), (96, 64, 3))
STEM, PYRAMID = (16, 24), 40


class SceneNet(nn.Module):
    """From sRGB pictures of -1 to 1 (N x 3 x H x W, sides multiples of 32) to logits of the kinds and of indoors.

    Whole convolutions at small sizes: depth-wise ones have fewer sums but take longer on a plain processor.
    """

    def __init__(self, kinds: int = len(Kind)) -> None:
        super().__init__()
        self.stem = nn.Sequential(_convolution(3, STEM[0], 3, 2), _convolution(STEM[0], STEM[1], 3, 2))
        self.stages = nn.ModuleList()
        self.laterals = nn.ModuleList([nn.Conv2d(STEM[1], PYRAMID, 1)])
        before = STEM[1]
        for width, inner, count in STAGES:
            blocks = [_Residual(width, inner) for _ in range(count)]
            self.stages.append(nn.Sequential(_convolution(before, width, 3, 2), *blocks))
            self.laterals.append(nn.Conv2d(width, PYRAMID, 1))
            before = width
        self.whole = nn.Conv2d(before, PYRAMID, 1)
        self.mixers = nn.ModuleList([_convolution(PYRAMID, PYRAMID, 3) for _ in STAGES])
        self.kinds = nn.Conv2d(PYRAMID, kinds, 1)
        self.indoors = nn.Conv2d(before, 1, 1)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the kinds, N x kinds x H/4 x W/4, and of "taken indoors", N x 1 x 1 x 1."""
        levels = [self.stem(pictures)]
        for stage in self.stages:
            levels.append(stage(levels[-1]))
        mean = functional.adaptive_avg_pool2d(levels[-1], 1)
        # The rectified parts keep OpenCV from folding this sum into a convolution of another size.
        upper = functional.relu(self.laterals[-1](levels[-1])) + functional.relu(self.whole(mean))
        for level in range(len(STAGES) - 1, -1, -1):
            upper = functional.interpolate(upper, scale_factor=2.0, mode="nearest")
            upper = self.mixers[level](upper + self.laterals[level](levels[level]))
        return self.kinds(upper), self.indoors(mean)


class _Residual(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.first = _convolution(width, inner, 3)
        self.second = nn.Sequential(nn.Conv2d(inner, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, values: Tensor) -> Tensor:
        return functional.relu(values + self.second(self.first(values)))


def _convolution(before: int, width: int, side: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, width, side, stride, side // 2, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
    )


def parameters(net: nn.Module) -> int:
    """How many numbers the net has learnt."""
    return sum(each.numel() for each in net.parameters())


def new_net(seed: int) -> SceneNet:
    """An untrained net; the same seed gives the same numbers."""
    torch.manual_seed(seed)
    return SceneNet()
