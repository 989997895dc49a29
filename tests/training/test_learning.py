"""Learning: what is only partly known counts as far as it is known; a net goes on from what ships."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from app.engine.scene.kinds import Kind
from app.engine.scene.net import WEIGHTS
from training.augment import OUTSIDE, ROOM

if any(importlib.util.find_spec(name) is None for name in ("torch", "onnx")):
    pytest.skip("needs torch and onnx (dependency group training)", allow_module_level=True)

import cv2
import onnx
import torch
from onnx import numpy_helper

from training.going_on import take_over
from training.model import new_net
from training.train import loss_of


def loss(kind: Kind, label: int) -> float:
    """Of a net that is sure of one kind everywhere where all is labelled so."""
    logits = torch.full((1, len(Kind), 8, 8), -8.0)
    logits[:, kind] = 8.0
    return float(loss_of(logits, torch.zeros(1, 1, 1, 1), torch.full((1, 8, 8), label), torch.zeros(1)))


def test_any_kind_of_a_partly_known_set_is_as_good_as_another() -> None:
    assert loss(Kind.WALL, ROOM) == pytest.approx(loss(Kind.FLOOR, ROOM), abs=1e-3)
    assert loss(Kind.TREES, OUTSIDE) == pytest.approx(loss(Kind.WATER, OUTSIDE), abs=1e-3)


def test_a_kind_outside_the_set_costs() -> None:
    assert loss(Kind.SKY, OUTSIDE) > loss(Kind.TREES, OUTSIDE) + 2
    assert loss(Kind.LAWN, ROOM) > loss(Kind.WALL, ROOM) + 2


def test_a_net_that_goes_on_answers_as_what_ships() -> None:
    chance = np.random.default_rng(3)
    picture = torch.from_numpy(chance.uniform(-1, 1, (4, 3, 96, 128)).astype(np.float32))
    net = new_net(1)
    take_over(net, Path(WEIGHTS), picture)
    shipped = cv2.dnn.readNetFromONNX(str(WEIGHTS))
    shipped.setInput(picture[:1].numpy())
    answer, _ = shipped.forward(["kinds", "indoors"])
    with torch.no_grad():
        found, _ = net.eval()(picture[:1])
    assert np.allclose(found.numpy(), answer, atol=2e-3)


def test_a_net_with_a_kind_more_than_the_file_answers_alike_and_holds_the_new_one_unlikely(tmp_path: Path) -> None:
    older = onnx.load(str(WEIGHTS))
    for each in older.graph.initializer:
        if each.name in {"kinds.weight", "kinds.bias"}:
            each.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(each)[:-1], each.name))
    onnx.save(older, tmp_path / "older.onnx")
    picture = torch.from_numpy(np.random.default_rng(3).uniform(-1, 1, (4, 3, 96, 128)).astype(np.float32))
    whole, grown = new_net(1), new_net(2)
    take_over(whole, Path(WEIGHTS), picture)
    take_over(grown, tmp_path / "older.onnx", picture)
    with torch.no_grad():
        known, found = (net.eval()(picture[:1])[0].numpy() for net in (whole, grown))
    assert np.allclose(found[:, :-1], known[:, :-1], atol=2e-3)
    assert torch.softmax(torch.from_numpy(found), 1)[:, -1].mean() < 0.01
