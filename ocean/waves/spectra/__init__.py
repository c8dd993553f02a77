"""Spectra: the variance of waves of each frequency, S(w), one-sided, in m² s.

A model is a set of parameters with a `kind`; for a sea state it makes a shape, which knows its peak and its density.
Directions and motion are elsewhere. To add a model, write its class, in a file of its own or of its family, and name it
in `Spectrum`.
"""

from typing import Annotated

from pydantic import Field

from ocean.waves.spectra.elfouhaily import Elfouhaily
from ocean.waves.spectra.file import FileSpectrum
from ocean.waves.spectra.jonswap import Jonswap, PiersonMoskowitz, Tma
from ocean.waves.spectra.phillips import Phillips

Spectrum = Annotated[
    Jonswap | PiersonMoskowitz | Tma | Elfouhaily | Phillips | FileSpectrum, Field(discriminator="kind")
]
"""Any of the models, discriminated by `kind`: the type of a settings field."""
