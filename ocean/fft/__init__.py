"""Fourier transforms on the GPU: plans for storage there, and functions on numpy arrays. This package knows nothing of
waves."""

from ocean.fft.auto import TunedPlans, use_tuned
from ocean.fft.backends import (
    BACKENDS,
    DEFAULT_BACKEND,
    obstacle,
    plan,
    refuse_obstacle,
    takes_callbacks,
    validated_options,
)
from ocean.fft.contract import AxisTransform, Backend, FFTError, FFTPlan
from ocean.fft.cosine import dct, dct2, idct, idct2
from ocean.fft.functions import fft, fft2, fftn, ifft, ifft2, ifftn, transform
from ocean.fft.fused import FusedPlan, fuse
from ocean.fft.real import irfft, irfft2, rfft, rfft2
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
