"""`python -m training.mean OUT.onnx NET.onnx …`: the mean of nets kept along one training or several that went on.

One net alone takes a strange photo now for this, now for that; the mean of many on one way errs less.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def mean_of(paths: list[Path]) -> onnx.ModelProto:
    """A net whose every weight is the mean of those of the nets, which are of one kind."""
    nets = [onnx.load(path) for path in paths]
    kept = [{each.name: numpy_helper.to_array(each) for each in net.graph.initializer} for net in nets]
    for weight in nets[0].graph.initializer:
        values = [weights[weight.name] for weights in kept]
        if np.issubdtype(values[0].dtype, np.floating):
            middle = np.mean(values, axis=0, dtype=np.float64).astype(values[0].dtype)
            weight.CopyFrom(numpy_helper.from_array(middle, weight.name))
    return nets[0]


def main() -> int:
    """Write the mean."""
    parser = argparse.ArgumentParser(prog="python -m training.mean", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("nets", type=Path, nargs="+")
    chosen = parser.parse_args()
    onnx.save(mean_of(chosen.nets), chosen.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
