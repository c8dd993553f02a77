"""The survey of a sea: all statistics, predicted and measured, as the window shows and reports hold them.

It follows from a spectrum and from the sums of the gauge, without a GPU.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ocean.sea.blend import Blend, SeaSpectrum, make_spectrum
from ocean.sea.foam import foam_threshold
from ocean.sea.nonlinear import Energies
from ocean.settings import Settings
from ocean.settings.files import Resolved
from ocean.validation.fronts import Fronts
from ocean.validation.periodogram import Moments, Periodogram, Rings, travelling_power
from ocean.validation.quantities import FOAM, HEIGHT, SLOPES, Predictions, Quantity
from ocean.waves import whitecaps
from ocean.waves.dispersion import TICKS, Array, clock_ticks, group_speed, wavenumber
from ocean.waves.spreading import measured_slopes
from ocean.waves.statistics import polar_density, wave_energy
from ocean.waves.systems import BEAUFORT, SEA_STATES, beaufort_number, sea_state_number

LIMIT = 2.5  # radius of the polar plot, in peak frequencies
PIXELS = 96
QUANTILES = 0.025, 0.975
FAINTEST = 0.1  # density, as a fraction of the highest one, below which a wave vector gets no dot


@dataclass(frozen=True, eq=False)
class SpectrumPlot:
    """The spectra of a sea. Frequencies w in rad/s, densities in m² s; the polar plot has north up and east to the
    right.

    `theory` is (w, S) of the spectrum, `band` (w, low, high) the range of 95 % of all draws on this grid, `measured`
    the measured rings. `image` (PIXELS, PIXELS), rows from the north, is the root of the density over w and direction
    as a fraction of the highest one, out to `limit`. `dots` (3, n) are the measured wave vectors, as x, y and that
    root.
    """

    theory: tuple[Array, Array]
    band: tuple[Array, Array, Array]
    measured: Rings | None
    limit: float
    image: Array
    dots: Array


def plot_of(predictions: Predictions, periodogram: Periodogram | None) -> SpectrumPlot | None:
    """Return the spectra of a sea for plots; None for flat water."""
    from scipy.special import gammaincinv

    peak = predictions.rings.peak_period
    if peak <= 0:
        return None
    depth, kind = predictions.systems[0].depth, predictions.systems[0].dispersion
    w = np.geomspace(0.3 * 2 * np.pi / peak, predictions.rings.w[-1], 400)
    density = np.sum([system.density(w) for system in predictions.systems], axis=0)
    low, high = (
        gammaincinv(predictions.rings.waves, q) / predictions.rings.waves * predictions.rings.density for q in QUANTILES
    )

    limit = LIMIT * 2 * np.pi / peak
    axis = limit * (np.arange(PIXELS) + 0.5 - PIXELS / 2) / (PIXELS / 2)
    radius = np.hypot(axis, axis[:, None])
    k = wavenumber(radius, depth, kind)
    # Density over w and direction: Psi k dk dtheta = E dw dtheta.
    polar = polar_density(predictions.systems, k, np.arctan2(axis, -axis[:, None])) * k / group_speed(k, depth, kind)
    top = float(polar.max())
    image = np.where(radius < limit, np.sqrt(polar / top), 0.0)

    found = []
    for lattice, power in zip(periodogram.lattices, periodogram.powers, strict=True) if periodogram else ():
        share = np.sqrt(power / lattice.tile.dk**2 * lattice.k / lattice.speed / top)
        near = (lattice.w < limit) & (share**2 > FAINTEST)
        x, z = lattice.direction
        found.append(np.stack([lattice.w * x, -lattice.w * z, share])[:, near])
    dots = np.concatenate(found, axis=1) if found else np.zeros((3, 0))
    measured = None if periodogram is None else periodogram.rings
    return SpectrumPlot((w, density), (predictions.rings.w, low, high), measured, limit, image, dots)


HeightPicture = tuple[float, Mapping[int, NDArray[np.float32]]]
"""A time of the sea [s], and the height of each cascade on a map that shows all its waves."""


@dataclass(frozen=True, eq=False)
class Survey:
    """The quantities of a sea at a time [s], and its spectra for plots; the plot of flat water is None."""

    time: float
    predictions: Predictions
    quantities: tuple[Quantity, ...]
    plot: SpectrumPlot | None = None
    energies: Energies | None = None  # of nonlinear waves
    fronts: Fronts | None = None  # of breaking water; None without a wind sea

    def __getitem__(self, name: str) -> Quantity:
        return next(row for row in self.quantities if row.name == name)

    @property
    def is_complete(self) -> bool:
        """Whether everything is measured except foam. Its measurement takes as long as foam lives."""
        return all(row.measured is not None for row in self.quantities if row.name != FOAM)

    @property
    def agrees(self) -> bool:
        return all(row.agrees is not False for row in self.quantities)


def make_periodogram(predictions: Predictions, first: HeightPicture, second: HeightPicture) -> Periodogram:
    """Return the variance along each wave vector between two pictures of the sea. Pictures of flat cascades may be
    missing."""
    powers = []
    for index, lattice in predictions.lattices.items():
        ticks = (clock_ticks(second[0], lattice.period) - clock_ticks(first[0], lattice.period)) % TICKS
        powers.append(travelling_power(lattice, first[1][index], second[1][index], ticks))
    return Periodogram(tuple(predictions.lattices.values()), tuple(powers))


def make_survey(
    time: float,
    predictions: Predictions,
    spectrum: SeaSpectrum,
    settings: Settings,
    moments: Moments | None = None,
    periodogram: Periodogram | None = None,
    squares: NDArray[np.float64] | None = None,
    texels: int = 0,
) -> Survey:
    """Return the survey of a sea at a time [s] from all that has been measured; `squares` are the means over parts of a
    foam map of `texels` texels."""
    foam = expected_foam(settings, spectrum, predictions)
    if squares is not None:
        foam = measured_foam(foam, squares, texels)
    rows = predictions.quantities(spectrum.settings.sea.choppiness, moments, periodogram, foam)
    return Survey(time, predictions, rows, plot_of(predictions, periodogram))


def expected_foam(settings: Settings, spectrum: SeaSpectrum, predictions: Predictions) -> Quantity:
    """Return the foam coverage that a sea should have, and its deviation for one draw: without streaks, which
    the foam map does not hold.

    Three errors add up in quadrature: of the model, of the draw's own folds far from the mean, and if foam is rare, the
    scatter of the few crests that break on tiles that repeat.
    """
    blend = Blend.settled(spectrum)
    aimed, jacobian = blend.coverage(settings.foam).whitecaps, blend.places
    choppiness, decay, width = blend.choppiness, settings.foam.decay, whitecaps.BIRTH_WIDTH
    text = f"Whitecaps: by the law {settings.foam.law}, and as the mean of the foam map. Streaks lie beside them."
    foam = Quantity(FOAM, "1", text, aimed, aimed, whitecaps.MODEL_DEVIATION * aimed)
    threshold = foam_threshold(settings.foam, blend)
    widest = max(jacobian, key=lambda place: place.variance)
    if choppiness * widest.variance == 0:
        return foam
    steeper = choppiness * (1 + predictions.fold_scatter(2 * spectrum.breaking_texel))
    more = whitecaps.mean_foam(jacobian, steeper, threshold, decay, width) - aimed
    shares, rates = predictions.fold_shape(2 * spectrum.breaking_texel)
    u = float(np.clip(-widest.deviations(threshold, choppiness), 1.0, 10.0))
    area = whitecaps.breaking_area(u, choppiness * math.sqrt(widest.variance), width, rates)
    each = zip(shares, predictions.lattices.values(), strict=True)
    repeats = sum(whitecaps.repeated_fold(u, share) / lattice.tile.side**2 for share, lattice in each)
    few = whitecaps.foam_scatter(aimed, area, repeats)
    return replace(foam, deviation=math.hypot(foam.deviation, more, few * aimed))


def measured_foam(foam: Quantity, squares: Sequence[float] | NDArray[np.float64], texels: int) -> Quantity:
    """Return the foam with the means over the squares of a foam map of `texels` texels in all.

    The differences between squares give the scatter of their mean about the mean of all maps. If foam is so rare that
    most squares have none, the number of white texels has the scatter of a count.
    """
    scatter = float(np.var(squares, ddof=1)) / len(squares)
    deviation = math.sqrt(foam.deviation**2 + max(scatter, foam.expected / texels))
    return replace(foam, deviation=deviation, measured=float(np.mean(squares)))


def survey_of(settings: Resolved) -> Survey:
    """Return the predictions for a sea of these settings, with nothing measured."""
    spectrum = make_spectrum(settings)
    return make_survey(0.0, Predictions(spectrum), spectrum, settings)


def sea_notes(settings: Settings, survey: Survey) -> dict[str, str]:
    sea, predictions, fronts = settings.sea, survey.predictions, Fronts.of(settings.sea.systems)
    height, slopes = survey[HEIGHT].integral, sum(survey[name].integral for name in SLOPES)
    wind, measured = sea.wind.speed, sum(measured_slopes(sea.wind.speed))
    compared = f", {slopes / measured:.2f} of what Cox and Munk measured at this wind" if measured else ""
    beaufort, state = beaufort_number(wind), sea_state_number(height)
    notes = {
        "wind": f"{wind:g} m/s, Beaufort {beaufort} ({BEAUFORT[beaufort]})",
        "sea": f"WMO sea state {state} ({SEA_STATES[state]})",
        "whitecaps": f"{settings.foam.coverage(sea)} of the water ({settings.foam.law})",
        "energy": f"{wave_energy(height):.3g} kJ/m²",
        "slopes": f"variance {slopes:.4f}{compared}",
        "below the grid": f"slope variance {predictions.unresolved_slopes:.4f} (shaded, not drawn)",
        "lost between the cascades": f"{100 * predictions.gap_share:.2g} % of the height's variance",
    }
    sources = "; ".join(filter(None, (system.shape.source for system in sea.systems)))
    notes |= {"file": sources} if sources else {}
    if fronts is not None and settings.foam.coverage(sea).whitecaps > 0:
        low, high = fronts.fitted
        fit = f"Λ(c) = {fronts.observed:.2g} m⁴/s⁵ c^-6 from {low:.1f} to {high:.1f} m/s"
        notes["breaking fronts"] = f"{fit}, as observed by Sutherland and Melville (2013)"
    return notes | {
        name: text
        for name, text in (("remark", sea.remark), ("warning", sea.warning), ("sky", settings.sky.remark))
        if text
    }
