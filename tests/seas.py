"""What tests hold the sea on the GPU against."""

import numpy as np

from ocean.spectrum import make_spectrum
from ocean.waves import twin
from ocean.waves.dispersion import clock_ticks


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


def twin_fields(settings, time):
    """The eight fields of every cascade in float64, from the amplitudes that the GPU is given."""
    per_cascade = []
    for cascade in make_spectrum(settings).cascades:
        key = cascade.key
        h0 = cascade.draw.astype("c16") * np.sqrt(cascade.variance.astype("f8"))
        ticks = clock_ticks(time, key.period)
        per_cascade.append((key.tile, twin.fields(h0, key.tile, cascade.steps, ticks, key.depth, key.dispersion)))
    return per_cascade
