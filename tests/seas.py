"""References for the sea on the GPU."""

from typing import get_args

import numpy as np

from ocean.sea.blend import make_spectrum
from ocean.waves import statistics
from ocean.waves.fields import FIELDS
from tests.reference import sea as reference


def kinds(union):
    """Return the models of a union of settings by their kinds, so that a new one takes part in the tests."""
    return {model.model_fields["kind"].default: model for model in get_args(get_args(union)[0])}


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


def paired(spectrum):
    """Return the mean of k and -k of an array over wave vectors, (size, size) in FFT order."""
    return (spectrum + statistics.mirrored(spectrum)) / 2


def reference_fields(settings, time):
    """Return the eight fields of every cascade in float64, from the amplitudes that the GPU is given."""
    per_cascade = []
    for cascade in make_spectrum(settings).cascades:
        key = cascade.key
        h0 = cascade.draw.astype("c16") * np.sqrt(cascade.variance.astype("f8"))
        ticks = reference.ticks_of(time, key.period)
        per_cascade.append((key.tile, reference.fields(h0, key.tile, cascade.steps, ticks, key.depth, key.dispersion)))
    return per_cascade


def area_means(field, axis):
    """Return a field of n texels along an axis as one of floor(n / 2): means over areas, by how far old and new
    overlap."""
    n = field.shape[axis]
    m = n // 2
    old, new = np.arange(n), np.arange(m)[:, None] * n / m
    overlap = np.clip(np.minimum(new + n / m, old + 1) - np.maximum(new, old), 0, None)
    return np.moveaxis(np.tensordot(overlap * m / n, field, (1, axis)), 0, axis)


def mip_levels(data):
    """Return all levels of fields (layer, side, side, ...) in float64, the first included."""
    levels = [np.asarray(data, np.float64)]
    while levels[-1].shape[1] > 1:
        levels.append(area_means(area_means(levels[-1], 1), 2))
    return levels


def check_fields(sea, time, tolerance, cascades=None):
    """Compare fields with the reference's, or with those that were made from it before."""
    sea.update(time)
    fields = sea.fields()
    for index, (_, expected) in enumerate(cascades or reference_fields(sea.settings, time)):
        for name in FIELDS:
            assert fields[name].dtype == np.float32
            assert relative_error(fields[name][index], expected[name]) < tolerance, (name, index, time)
