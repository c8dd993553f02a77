"""Fourier transforms on the GPU: plans for storage there, and functions on numpy arrays. This package knows nothing of
waves.

Names load when they are first used, so that `ocean.fft.options` imports without a GPU library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ocean.fft.arrays import fft, fft2, fftn, ifft, ifft2, ifftn, transform
    from ocean.fft.auto import TunedPlans, use_tuned
    from ocean.fft.backends import BACKENDS, FusedPlan, fuse, obstacle, plan, refuse_obstacle, takes_callbacks
    from ocean.fft.contract import AxisTransform, Backend, FFTPlan
    from ocean.fft.options import DEFAULT_BACKEND, FFTError, validated_options
    from ocean.fft.real import dct, dct2, idct, idct2, irfft, irfft2, rfft, rfft2
    from ocean.fft.storage import COLUMNS, LAYERS, ROWS, FieldBuffers, FieldLayers

__all__ = [
    "BACKENDS",
    "COLUMNS",
    "DEFAULT_BACKEND",
    "LAYERS",
    "ROWS",
    "AxisTransform",
    "Backend",
    "FFTError",
    "FFTPlan",
    "FieldBuffers",
    "FieldLayers",
    "FusedPlan",
    "TunedPlans",
    "dct",
    "dct2",
    "fft",
    "fft2",
    "fftn",
    "fuse",
    "idct",
    "idct2",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "irfft2",
    "obstacle",
    "plan",
    "refuse_obstacle",
    "rfft",
    "rfft2",
    "takes_callbacks",
    "transform",
    "use_tuned",
    "validated_options",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in ("options", "storage", "contract", "auto", "backends", "arrays", "real"):
            if name in (names := vars(import_module(f"ocean.fft.{module}"))):
                return globals().setdefault(name, names[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
