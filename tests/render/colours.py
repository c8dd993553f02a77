"""Colours of debug views in numpy: the reference implementation of `debug/show.frag`."""

import numpy as np

from ocean.render.debug_drawing import palette, srgb


def coloured(scale, v, low, high):
    """Return the colours (..., 3), 0 to 1, of values (..., 3)."""
    colours = palette(scale)
    if scale in ("axes", "mix"):
        return np.clip((v - low) / (high - low), 0, 1)
    if scale == "light":
        return srgb(np.clip((v - low) / (high - low), 0, 1))
    if scale == "count":
        return ramp((np.floor(v[..., 0]) % 10 + 0.5) / 10, colours)
    if scale in ("linear", "signed"):
        return ramp((v[..., 0] - low) / (high - low), colours)
    decades = np.log(np.maximum(v[..., 0], 1e-30) / low) / np.log(high / low)
    if scale == "complex":
        at_zero = (v[..., 1] == 0) & (v[..., 2] == 0)
        turn = np.where(at_zero, 0.0, np.arctan2(v[..., 2], v[..., 1]) / (2 * np.pi) + 0.5)
        return np.clip(decades, 0, 1)[..., None] * ramp(turn, colours)
    return ramp(decades, colours) * (v[..., 2:] if scale == "edges" else 1)


def ramp(t, colours):
    return colours[(np.clip(t, 0, 1) * (len(colours) - 1) + 0.5).astype(int)]
