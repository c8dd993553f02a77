"""How much variance the waves of each frequency carry: S(w), one-sided, in m² s.

Each model is a small group of parameters with a `kind`; a sea state makes a shape of them, which knows its peak and its
density. Directions and motion are other files' business. To add a model, write its class in a file of its family, and
name it in `Spectrum`.
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
"""Any of the models, told apart by `kind`: the type of a settings field."""
