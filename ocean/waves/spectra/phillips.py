"""Phillips' spectrum in the form of Tessendorf (2001): common in texts, and calibrated by none."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ocean.common.parameters import parameter
from ocean.waves.dispersion import GRAVITY, Array
from ocean.waves.spectra.shapes import SpectrumModel, WaveNumberShape
from ocean.waves.spreading import CALM


@dataclass(frozen=True)
class PhillipsShape(WaveNumberShape):
    """The spectrum under a wind of U10 = speed [m/s], without waves far below the cutoff [m]; flat without wind."""

    speed: float
    amplitude: float
    cutoff: float

    @property
    def is_flat(self) -> bool:
        return self.speed < CALM or self.amplitude == 0

    @property
    def length(self) -> float:
        """L = U² / g [m], "the largest waves"."""
        return self.speed**2 / GRAVITY

    @property
    def peak_frequency(self) -> float:  # type: ignore[override]
        """Frequency of the peak of S(w), which falls as k^-2.5 times the exponential: at `k = sqrt(0.8) / L`."""
        return 1.0 if self.is_flat else math.sqrt(GRAVITY * math.sqrt(0.8) / self.length)

    def saturation(self, k: Array) -> Array:
        """Return `B = pi A exp(-1 / (k L)²) exp(-k² l²)` [1] at wave numbers k > 0 [rad/m].

        Tessendorf's (2001) eqs. 40 and 41, `P = A exp(-1 / (k L)²) / k^4 |k^ . w^|² exp(-k² l²)`, summed over
        directions: the integral of the squared cosine over a full turn is pi, and P k³ is B. All of his symmetric
        spread counts as down wind.
        """
        if self.is_flat:
            return np.zeros_like(k)
        return np.asarray(math.pi * self.amplitude * np.exp(-((k * self.length) ** -2) - (k * self.cutoff) ** 2))


class Phillips(SpectrumModel):
    """Uncalibrated: the spectrum of Tessendorf's notes, whose amplitude sets its height.

    It has no fetch. With `cos-squared` as its spread it is the formula of the notes, for waves down wind.
    """

    kind: Literal["phillips"] = "phillips"
    amplitude: float = parameter(
        1.3e-3, "Square of the height's scale; uncalibrated.", low=1e-5, high=0.1, logarithmic=True
    )
    cutoff: float = parameter(0.01, "Length below which waves are damped.", low=0, high=1, unit="m")
    needs_wind: ClassVar[bool] = True

    def shape(self, speed: float, fetch: float) -> PhillipsShape:
        return PhillipsShape(speed if fetch > 0 else 0.0, self.amplitude, self.cutoff)
