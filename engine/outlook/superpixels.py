"""Divides a picture into small pieces that lie on its edges, and merges those that belong together."""

import heapq
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.filters.smoothing import gaussian_blur

Numbers = NDArray[np.int32]
"""The number of the piece that each pixel belongs to, (h, w), from 0."""
CELL = 12
"""Side of the cells of a grid, in pixels. One piece starts in each cell, so narrower things may be missed."""
BLUR = 0.8
"""Sigma of the blur before edges are looked for, in pixels."""
LIGHTNESS_WEIGHT = 0.7
"""Weight of a difference in lightness, as of shadows on a floor, beside one in hue and chroma."""
EDGE_WEIGHT = 1.2
"""Weight of the edge between two pieces beside the difference of their mean colors."""
SHARES_WEIGHT = 45.0
"""Difference in color that counts as much as wholly different content of two pieces."""
SURE, SURELY_OTHER = 0.6, 1e4
"""Least share of a content in a piece that surely has it, and the difference that is added between pieces that
surely have different contents.
"""
AGREED = 0.8
"""The share by which the difference of two pieces with surely the same content is reduced."""
FULL_SIZE = 0.012
"""The size of a piece does not matter from this share of the picture on."""
MIN_SIZE, TINY = 0.0008, 0.1
"""Share of the picture below which a piece is tiny, and the factor of the difference to its neighbors."""
SAMPLING = 3
"""Distance, in pixels, between the places at which content is read, which is known more coarsely than edges."""
SIZE_POWER = 0.5
"""Exponent of a piece's size in its difference to neighbors: small pieces are merged sooner."""


def cut_picture(picture: Pixels) -> tuple[Numbers, Plane, Plane]:
    """Cut a picture into small pieces along its edges: a watershed from the evenest spot of each cell of a grid.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.

    Returns
    -------
    numbers : (h, w) ndarray of int32
        The number of the piece of each pixel.
    colors : (h, w, 3) ndarray of float32
        The color of each pixel in CIE L*a*b*, with weighted lightness.
    edges : (h, w) ndarray of float32
        The strength of the edge at each pixel, in the same units per pixel.

    References
    ----------
    Machairas, Faessel, Cardenas-Pena, Chabardes, Walter, Decenciere: "Waterpixels" (IEEE Transactions on Image
    Processing 24, 2015).
    """
    colors = srgb_to_lab(picture)
    colors[..., 0] *= LIGHTNESS_WEIGHT
    edges = _measure_edges(plane(gaussian_blur(colors, BLUR)))
    markers = _choose_starts(edges)
    relief = np.asarray(np.clip(edges * 6, 0, 255), np.uint8)
    numbers = np.asarray(cv2.watershed(cv2.merge([relief] * 3), markers.copy()), np.int32)
    # At the picture's border, the watershed draws its lines over the starts.
    numbers = np.where(markers > 0, markers, numbers)
    return _fill_lines(numbers) - 1, colors, edges


def _measure_edges(colors: Plane) -> Plane:
    across = cv2.Sobel(colors, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(colors, cv2.CV_32F, 0, 1, scale=0.25)
    return plane(np.sqrt((across**2 + down**2).sum(2)))


def _choose_starts(edges: Plane) -> Numbers:
    """The number of a cell, from 1, at its evenest pixel and around it; else 0."""
    height, width = edges.shape
    rows, columns = max(1, height // CELL), max(1, width // CELL)
    tops, lefts = np.arange(rows + 1) * height // rows, np.arange(columns + 1) * width // columns
    starts = np.zeros(edges.shape, np.int32)
    for row in range(rows):
        for column in range(columns):
            top, left = tops[row], lefts[column]
            cell = edges[top : tops[row + 1], left : lefts[column + 1]]
            y, x = divmod(int(cell.argmin()), cell.shape[1])
            starts[top + y, left + x] = row * columns + column + 1
    return starts


def _fill_lines(numbers: Numbers) -> Numbers:
    """The numbers without the lines (-1) that a watershed leaves between pieces, and around the picture."""
    filled = numbers.copy()
    while (filled < 1).any():
        grown = cv2.dilate(np.maximum(filled, 0).astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int32)
        filled = np.where(filled < 1, grown, filled)
    return filled


@dataclass(slots=True)
class _Merging:
    """The pieces during a merge; the arrays have a row for each piece at the beginning.

    `borders` has for each piece its neighbors, each with the sum of the edge and the length of their border.
    """

    areas: NDArray[np.float64]
    colors: NDArray[np.float64]
    shares: NDArray[np.float64]
    borders: list[dict[int, tuple[float, float]]]
    pixels: int

    def measure(self, one: int) -> list[tuple[float, int]]:
        """The difference of a piece to each neighbor, and the neighbor's number."""
        others = list(self.borders[one])
        if not others:
            return []
        edge = np.array([total / length for total, length in self.borders[one].values()])
        color = np.sqrt(((self.colors[others] - self.colors[one]) ** 2).sum(1))
        shares = np.abs(self.shares[others] - self.shares[one]).sum(1) / 2
        small = np.minimum(self.areas[others], self.areas[one])
        size = np.minimum(1, small / (FULL_SIZE * self.pixels)) ** SIZE_POWER
        size[small < MIN_SIZE * self.pixels] *= TINY
        agreed = self.shares[others] @ self.shares[one]
        cost = (color + EDGE_WEIGHT * edge + SHARES_WEIGHT * shares) * size * (1 - AGREED * agreed)
        sure = (self.shares[others].max(1) > SURE) & (self.shares[one].max() > SURE)
        differ = self.shares[others].argmax(1) != self.shares[one].argmax()
        cost += SURELY_OTHER * (sure & differ) * size
        return list(zip(cost.tolist(), others, strict=True))

    def merge(self, kept: int, gone: int) -> None:
        """Merge a piece into its neighbor."""
        weights = self.areas[[kept, gone]] / self.areas[[kept, gone]].sum()
        self.colors[kept] = weights @ self.colors[[kept, gone]]
        self.shares[kept] = weights @ self.shares[[kept, gone]]
        self.areas[kept] += self.areas[gone]
        for other, (total, length) in self.borders[gone].items():
            del self.borders[other][gone]
            if other != kept:
                before = self.borders[kept].get(other, (0.0, 0.0))
                joined = before[0] + total, before[1] + length
                self.borders[kept][other] = self.borders[other][kept] = joined
        self.borders[gone] = {}


def merge_pieces(pieces: tuple[Numbers, Plane, Plane], shares: Plane, limits: tuple[int, int, float]) -> Numbers:
    """Merge the pieces of a picture that are most similar in color and content, with the weakest edge between them.

    Parameters
    ----------
    pieces : (ndarray, ndarray, ndarray)
        As `cut_picture` returns them.
    shares : (h, w, N) ndarray of float32
        The share of each of N contents in each pixel, 0-1; at any size.
    limits : (int, int, float)
        Fewest pieces, most pieces, and the greatest difference of merged pieces while their number is between
        these.

    Returns
    -------
    (h, w) ndarray of int32
        The merged piece of each pixel.
    """
    numbers, colors, edges = pieces
    fewest, most, greatest = limits
    count = int(numbers.max()) + 1
    merging = _start(numbers, colors, edges, shares)
    parent = np.arange(count)
    version = np.zeros(count, np.int64)
    queue = [
        (cost, one, other, 0, 0) for one in range(count) for cost, other in merging.measure(one) if one < other
    ]
    heapq.heapify(queue)
    left = sum(1 for each in merging.borders if each) or 1
    while queue and left > fewest:
        cost, one, other, *versions = heapq.heappop(queue)
        if [version[one], version[other]] != versions:
            continue
        if left <= most and cost > greatest:
            break
        kept, gone = (one, other) if merging.areas[one] >= merging.areas[other] else (other, one)
        merging.merge(kept, gone)
        parent[gone] = kept
        version[[kept, gone]] += 1
        left -= 1
        for cost, neighbor in merging.measure(kept):
            heapq.heappush(queue, (cost, kept, neighbor, int(version[kept]), int(version[neighbor])))
    while (parent[parent] != parent).any():
        parent = parent[parent]
    _, renumbered = np.unique(parent[numbers], return_inverse=True)
    return np.asarray(renumbered, np.int32).reshape(numbers.shape)


def _start(numbers: Numbers, colors: Plane, edges: Plane, shares: Plane) -> _Merging:
    count = int(numbers.max()) + 1
    flat = numbers.ravel()
    areas = np.maximum(np.bincount(flat, minlength=count), 1).astype(np.float64)
    means = np.stack([np.bincount(flat, each.ravel(), count) for each in cv2.split(colors)], 1) / areas[:, None]
    contents = _average_shares(numbers, shares, count)
    return _Merging(areas, means, contents, _find_borders(numbers, edges, count), numbers.size)


def _average_shares(numbers: Numbers, shares: Plane, count: int) -> NDArray[np.float64]:
    """The mean of the shares in each piece, from some of its pixels: shares are coarser than pieces."""
    flat = numbers[::SAMPLING, ::SAMPLING]
    size = flat.shape[1], flat.shape[0]
    maps = [cv2.resize(np.ascontiguousarray(shares[..., each]), size) for each in range(shares.shape[-1])]
    found = np.maximum(np.bincount(flat.ravel(), minlength=count), 1e-6)
    return np.stack([np.bincount(flat.ravel(), each.ravel(), count) for each in maps], 1) / found[:, None]


def _find_borders(numbers: Numbers, edges: Plane, count: int) -> list[dict[int, tuple[float, float]]]:
    keys, strengths = [], []
    for one, other, here, there in (
        (numbers[:, :-1], numbers[:, 1:], edges[:, :-1], edges[:, 1:]),
        (numbers[:-1], numbers[1:], edges[:-1], edges[1:]),
    ):
        apart = one != other
        low, high = np.minimum(one, other)[apart].astype(np.int64), np.maximum(one, other)[apart]
        keys.append(low * count + high)
        strengths.append(np.maximum(here, there)[apart])
    pairs, places = np.unique(np.concatenate(keys), return_inverse=True)
    totals = np.bincount(places, np.concatenate(strengths))
    lengths = np.bincount(places)
    borders: list[dict[int, tuple[float, float]]] = [{} for _ in range(count)]
    for pair, total, length in zip(pairs.tolist(), totals.tolist(), lengths.tolist(), strict=True):
        one, other = divmod(pair, count)
        borders[one][other] = borders[other][one] = total, float(length)
    return borders
