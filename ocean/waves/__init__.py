"""The physics of the sea: numpy in float64, no GPU.

Read the modules in this order: dispersion, spectra, spreading, systems (the sea); tiles, amplitudes (its waves on
grids); statistics (its expected values); second_order (corrections of crests and mean level); fields (what the
transform of a frame takes and returns); surface (the sea at a point).
"""

from typing import Literal

FieldName = Literal["height", "dxz", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz"]
FIELDS: tuple[FieldName, ...] = ("height", "dxz", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz")
"""Names of the maps' fields, in pairs as the transform takes them."""

WhitecapLaw = Literal["saturating", "callaghan-2008", "monahan-1980"]
"""Law of whitecap coverage; `whitecaps.whitecap_coverage` has their formulas and sources."""
