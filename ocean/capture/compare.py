"""Comparison of two runs: why they can't be compared, how their medians changed, and the verdict.

A slower machine also slows the reference work that is timed beside each series. So ratios are divided by its ratio,
whose scatter widens the interval.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ocean.capture.report import Report
from ocean.common.console import print_bold, print_table, say
from ocean.common.errors import SHOWN, InputError, clipped, code
from ocean.common.facts import GLRecord, ProgramRecord
from ocean.common.records import Series, markdown_lines, milliseconds
from ocean.fft.measure import LEAST_SAMPLES
from ocean.settings import Settings, SettingsError, Tree, differences, settings_from


def case_obstacle(name: str, settings: Settings, baseline: Report) -> str | None:
    """Return the reason why a case with these settings can't be compared with the baseline, or None. Captures have no
    window, so its settings don't count. Settings that the baseline lacks have their defaults."""
    if name in baseline.obstacles:
        return None
    if name not in baseline.cases:
        known = ", ".join(case or "a single one" for case in baseline.cases)
        return f"the baseline has no case {name}, but {known}" if name else f"the baseline has several cases: {known}"
    try:
        before = settings_from(baseline.cases[name].settings)
    except SettingsError as error:
        return f"the baseline's settings can't be read: {error}"
    found = differences(before, settings).items()
    different = [f"{key} = {was}, not {now}" for key, (was, now) in found if not key.startswith("window.")]
    if different:
        more = f" and {len(different) - 3} more" if len(different) > 3 else ""
        remedy = "choose the same settings or another --baseline"
        return f"the baseline has other settings: {', '.join(different[:3])}{more}; {remedy}"
    frames = settings.capture.frames
    if frames >= LEAST_SAMPLES:
        return None
    return f"capture.frames = {frames}, and a comparison takes {LEAST_SAMPLES}; choose --frames {LEAST_SAMPLES} or more"


def device_obstacle(
    gl: GLRecord | None, clock: str | None, before_gl: GLRecord | None, before_clock: str | None
) -> str | None:
    """Return why times of this device and clock can't be compared with the baseline's, or None. Drivers may differ."""
    now, before = device(gl), device(before_gl)
    if now != before:
        return f"the baseline is of another renderer: {before}, not {now}"
    if clock != before_clock:
        return f"the baseline is by the {before_clock} clock, this run by the {clock} clock"
    return None


def device(gl: GLRecord | None) -> str:
    return "none" if gl is None else f"{gl.renderer} ({gl.vendor})"


LEVEL = 0.95
RESAMPLES = 4000
MOST_DRAWN = 1 << 20  # samples that are drawn at once; all draws of a long capture would take gigabytes

Verdict = Literal["slower", "faster", "unchanged", "inconclusive"]
MOST_TOLERANCE = 2.0
MOST_FRAMES = 100_000  # larger numbers of frames are not recommended


@dataclass(frozen=True)
class Change:
    """The ratio of a median to the baseline's, with its 95 % interval, both corrected for the machine."""

    name: str
    before_ms: float
    now_ms: float
    ratio: float
    low: float
    high: float
    noise: float  # fraction by which the ratio is uncertain beyond its interval; infinite with too few samples
    verdict: Verdict
    frames: int | None = None  # samples of both runs that should decide an inconclusive change, if any number does


@dataclass(frozen=True)
class Changes:
    machine: float  # time of the reference work now over its time before; 1 without reference work
    changes: tuple[Change, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]

    def of(self, verdict: Verdict) -> list[Change]:
        return [change for change in self.changes if change.verdict == verdict]


def compare(before: Mapping[str, Series], now: Mapping[str, Series], tolerance: float) -> dict[str, Changes]:
    """Return the changes of each group that both runs have; see `find_changes`. Raises InputError for none."""
    found = {name: find_changes(before[name], series, tolerance) for name, series in now.items() if name in before}
    if not any(changes.changes for changes in found.values()):
        raise InputError("the reports can't be compared: they have no times in common")
    return found


def find_changes(before: Series, now: Series, tolerance: float) -> Changes:
    """Compare two runs, and judge each series:

    - slower, when the whole interval of its ratio lies above 1 + `tolerance` and above 1 + noise,
    - faster, when it lies below the inverses of both,
    - unchanged, when interval and noise lie below 1 + `tolerance`,
    - inconclusive otherwise, and with fewer than LEAST_SAMPLES samples.

    A negligible difference is unchanged. The interval is the percentile bootstrap's (Efron and Tibshirani 1993, chapter
    13): frames, of the reference work too, are drawn again with replacement. It assumes independent frames. The noise
    covers the rest: changes of a busy machine within a run, and changes of the reference work alone.
    """
    machine, machines = machine_ratio(before, now)
    found = []
    for name, was, samples in ((n, before.samples[n], now.samples[n]) for n in now.samples if n in before.samples):
        before_ms, now_ms = float(np.median(was)), float(np.median(samples))
        if min(len(was), len(samples)) < LEAST_SAMPLES:
            change = Change(name, before_ms, now_ms, 1.0, 0.0, math.inf, math.inf, "inconclusive", LEAST_SAMPLES)
        elif before_ms <= 0:
            verdict: Verdict = "unchanged" if now_ms / machine <= before.negligible_ms else "inconclusive"
            change = Change(name, before_ms, now_ms, 1.0, 0.0, math.inf, 0.0, verdict)
        else:
            ratio = now_ms / before_ms / machine
            low, high = interval(medians(samples, NOW) / machines, medians(was, BEFORE))
            drift, bias = drift_of(before, now, name), bias_of(before, now)
            least = 1 + before.negligible_ms / before_ms  # ratio of a negligible difference
            change = Change(name, before_ms, now_ms, ratio, low, high, max(drift, bias), "inconclusive")
            if (verdict := judge(change, 1 + tolerance, least)) == "inconclusive":
                frames = frames_to_decide(change, 1 + tolerance, bias, min(len(was), len(samples)))
                change = replace(change, frames=frames)
            change = replace(change, verdict=verdict)
        found.append(change)
    if found and all(math.isinf(change.noise) for change in found):
        raise InputError(f"a {LEVEL:.0%} interval takes {LEAST_SAMPLES} samples at least, in both runs")
    gone = tuple(name for name in before.samples if name not in now.samples)
    return Changes(machine, tuple(found), gone, tuple(name for name in now.samples if name not in before.samples))


def judge(change: Change, limit: float, least: float) -> Verdict:
    """Return the verdict on bounds and noise, with the tolerated ratio and the least ratio that is not negligible."""
    beyond = max(limit, 1 + change.noise)
    is_negligible = 2 - least <= change.ratio <= least
    if change.low > beyond and not is_negligible:
        return "slower"
    if change.high < 1 / beyond and not is_negligible:
        return "faster"
    highest = max(change.high, change.ratio * (1 + change.noise))
    return "unchanged" if highest <= max(limit, least) * (1 + ROUNDING) else "inconclusive"


ROUNDING = 1e-9  # relative error of ratios of equal samples


def frames_to_decide(change: Change, limit: float, bias: float, frames: int) -> int | None:
    """Return how many frames should decide an inconclusive change if its ratio stays, or None beyond MOST_FRAMES.
    Interval and drift shrink with the square root of the number of frames; the bias does not."""
    ratio, width = math.log(change.ratio), math.log(change.high / max(change.low, 1e-9)) / 2
    drift, allowed = math.log1p(change.noise), change.ratio - 1 if ratio > math.log(limit) else limit / change.ratio - 1
    if bias >= allowed or ratio == math.log(limit):
        return None
    if ratio > math.log(limit):
        share = min((ratio - math.log(limit)) / max(width, 1e-9), ratio / (width + drift))
    else:
        share = (math.log(limit) - ratio) / max(width, drift)
    wanted = frames / min(share, 1.0) ** 2
    if wanted > MOST_FRAMES:
        return None
    digit = int(10 ** max(math.floor(math.log10(wanted)) - 1, 0))
    return math.ceil(wanted / digit) * digit


def drift_of(before: Series, now: Series, name: str) -> float:
    """Return the difference between a ratio in the first and in the second half of the runs, as a fraction."""
    works = shared_work(before, now)
    halves = []
    for late in (False, True):
        machine = [ratio_of(half(before.fixed[work], late), half(now.fixed[work], late)) for work in works]
        ratio = ratio_of(half(before.samples[name], late), half(now.samples[name], late))
        halves.append(ratio / math.prod(machine) ** (1 / max(len(works), 1)))
    return spread(halves)


def bias_of(before: Series, now: Series) -> float:
    """Return the fraction by which all ratios are uncertain, however many frames there are. It is the largest of

    - the noise that either run measured,
    - the difference between the corrections by each kind of reference work,
    - the whole correction, if the reference work was not timed alternately with the series.
    """
    corrections = [ratio_of(before.fixed[work], now.fixed[work]) for work in shared_work(before, now)]
    if not (before.is_beside and now.is_beside):
        corrections.append(1.0)
    return max(before.noise, now.noise, spread(corrections))


def spread(ratios: Sequence[float]) -> float:
    return max(ratios) / min(ratios) - 1 if ratios and min(ratios) > 0 else 0.0


def shared_work(before: Series, now: Series) -> list[str]:
    return [name for name in now.fixed if name in before.fixed]


def half(samples: Sequence[float], late: bool) -> Sequence[float]:
    middle = len(samples) // 2
    return samples[middle:] if late else samples[:middle]


def ratio_of(before: Sequence[float], now: Sequence[float]) -> float:
    below = float(np.median(before))
    return float(np.median(now)) / below if below > 0 else 0.0


def machine_ratio(before: Series, now: Series) -> tuple[float, NDArray[np.float64]]:
    """Return the ratio of the reference work's times, now to before, and the ratios of RESAMPLES bootstrap draws. It is
    the geometric mean over all kinds of work, because series depend on each in unknown fractions."""
    ratio, ratios = 1.0, np.ones(RESAMPLES)
    names = shared_work(before, now)
    for name in names:
        above, below = medians(now.fixed[name], NOW), medians(before.fixed[name], BEFORE)
        if min(above.min(), below.min()) <= 0:
            raise InputError(f"{name} took no time that could be measured, so nothing can be compared")
        ratio *= ratio_of(before.fixed[name], now.fixed[name])
        ratios *= above / below
    power = 1 / max(len(names), 1)
    return ratio**power, ratios**power


BEFORE, NOW = 1, 2


def medians(samples: Sequence[float], run: int) -> NDArray[np.float64]:
    """Return the medians of RESAMPLES draws from the samples. Equally long series of one run draw the same frames, so
    that a slow frame counts in its reference work too. The two runs draw independently."""
    count, values, draws = len(samples), np.asarray(samples, np.float64), np.random.default_rng((run, len(samples)))
    step = max(1, MOST_DRAWN // count)
    parts = [min(step, RESAMPLES - first) for first in range(0, RESAMPLES, step)]
    return np.concatenate([np.median(values[draws.integers(0, count, (part, count))], axis=-1) for part in parts])


def interval(above: NDArray[np.float64], below: NDArray[np.float64]) -> tuple[float, float]:
    """Return the interval of a quotient from draws of both; unbounded above if the denominator may be 0."""
    if below.min() <= 0:
        return 0.0, math.inf
    low, high = np.quantile(above / below, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)


# -- As text -----------------------------------------------------------------------------------------------------------

CHANGE_COLUMNS = ("", "before ms", "now ms", "reference", "change", "95 % interval", "noise", "")


Mark = Callable[[str], str]  # function that marks names from files, for example as code in Markdown


def change_rows(changes: Changes, mark: Mark = str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table with CHANGE_COLUMNS. A change is the ratio of both times over the reference's."""
    for change in changes.changes:
        is_bounded = not math.isinf(change.high)
        bounds = f"{change.low - 1:+.1%} to {change.high - 1:+.1%}" if is_bounded else ""
        times = (milliseconds(change.before_ms), milliseconds(change.now_ms), f"{changes.machine:.3g} x")
        shares = (f"{change.ratio - 1:+.1%}", bounds, f"{change.noise:.1%}") if is_bounded else ("", "", "")
        yield (mark(change.name), *times, *shares, "" if change.verdict == "unchanged" else change.verdict)


def change_notes(changes: Changes, mark: Mark = str) -> Iterator[str]:
    if changes.machine != 1:
        yield f"The reference workload ran in {changes.machine:.3g} x the time; the changes are corrected for it."
    if changes.gone:
        yield f"Only before: {', '.join(map(mark, changes.gone))}."
    if changes.new:
        yield f"Only now: {', '.join(map(mark, changes.new))}."


def verdict(found: Mapping[str, Changes], tolerance: float, mark: Mark = str) -> str:
    slower, unsure = (named(found, verdict, mark) for verdict in ("slower", "inconclusive"))
    limit = f"by more than {tolerance:.0%}, with {LEVEL:.0%} confidence"
    said = [f"Slower {limit}: {slower}."] if slower else []
    if unsure:
        said.append(f"Inconclusive, because the noise is too large to tell: {unsure}; {remedy(found)}.")
    return " ".join(said) or f"Nothing became slower {limit}."


def named(found: Mapping[str, Changes], verdict: Verdict, mark: Mark) -> str:
    names = {group: ", ".join(mark(change.name) for change in changes.of(verdict)) for group, changes in found.items()}
    return "; ".join(f"{mark(group)}: {listed}" if group else listed for group, listed in names.items() if listed)


def remedy(found: Mapping[str, Changes]) -> str:
    unsure = [change for changes in found.values() for change in changes.of("inconclusive")]
    frames = [change.frames for change in unsure if change.frames]
    if not frames:
        return "more frames would not help, so use a calmer machine or a larger tolerance"
    others = len(unsure) - len(frames)
    rest = f" for all but {others}, whose noise more frames do not lower" if others else ""
    return f"about {max(frames)} frames or rounds in both runs would be enough{rest}"


DONE, REGRESSION, INCONCLUSIVE = 0, 3, 6
MOST_SETTINGS = 5  # maximum number of settings that the note on differences names


@dataclass(frozen=True)
class ReportedRun:
    """The parts of a report that a comparison needs."""

    kind: str
    program: ProgramRecord
    gl: GLRecord | None
    clock: str | None
    groups: Mapping[str, Series]
    settings: Mapping[str, Tree] = field(default_factory=dict)  # by group


def diff(before: ReportedRun, now: ReportedRun, tolerance: float, *, as_markdown: bool = False) -> int:
    """Print the changes from one run to another. Return the exit status of `status_of`."""
    if reason := obstacle(before, now):
        raise InputError(f"the reports can't be compared: {clipped(reason, 3 * SHOWN)}")
    found = compare(before.groups, now.groups, tolerance)
    if as_markdown:
        print(markdown(found, run_notes(before, now, code), tolerance))
        return status_of(found)
    for note in run_notes(before, now):
        say(note)
    return show_changes(found, tolerance)


def obstacle(before: ReportedRun, now: ReportedRun) -> str | None:
    if before.kind != now.kind:
        return f"the first is of a {before.kind}, the second of a {now.kind}"
    if reason := device_obstacle(now.gl, now.clock, before.gl, before.clock):
        return reason
    return None if before.groups.keys() & now.groups.keys() else "they have nothing in common"


def run_notes(before: ReportedRun, now: ReportedRun, mark: Mark = str) -> Iterator[str]:
    """Yield sentences about the programs, the device, and the settings in which the runs differ."""
    device = "the CPU" if now.gl is None else f"{mark(now.gl.renderer)}, {mark(str(now.clock))} clock"
    yield f"{mark(origin(before.program))} against {mark(origin(now.program))} on {device}."
    for group, tree in now.settings.items():
        if found := differences(before.settings.get(group, tree), tree):
            named = [mark(f"{key} {was} → {value}") for key, (was, value) in list(found.items())[:MOST_SETTINGS]]
            more = f" and {len(found) - MOST_SETTINGS} more" if len(found) > MOST_SETTINGS else ""
            yield f"{f'{mark(group)}: ' if group else ''}other settings: {', '.join(named)}{more}."
    if missing := before.groups.keys() ^ now.groups.keys():
        yield f"Only in one report: {'; '.join(mark(name) if name else 'a single case' for name in sorted(missing))}."


def origin(program: ProgramRecord) -> str:
    """Return the version of a program, with its commit if known."""
    name = f"{program.name} {program.version}"
    if program.git_commit is None:
        return name
    return f"{name} at {program.git_commit[:9]}{' with changes' if program.git_modified else ''}"


def status_of(found: Mapping[str, Changes]) -> int:
    """Return the exit status: 3 for a regression, else 6 if a change is inconclusive, else 0."""
    if any(changes.of("slower") for changes in found.values()):
        return REGRESSION
    return INCONCLUSIVE if any(changes.of("inconclusive") for changes in found.values()) else DONE


def show_changes(found: Mapping[str, Changes], tolerance: float) -> int:
    for group, changes in found.items():
        print_table(CHANGE_COLUMNS, change_rows(changes), title=group)
        for line in change_notes(changes):
            say(line)
    print_bold(verdict(found, tolerance))
    return status_of(found)


def markdown(found: Mapping[str, Changes], notes: Iterable[str], tolerance: float) -> str:
    """Return Markdown for a pull request: the verdict first, then a table for each group. Names are code."""
    lines = [f"**{verdict(found, tolerance, code)}**", ""]
    for group, changes in found.items():
        lines += [f"#### {code(group)}", ""] if group else []
        lines += [*markdown_lines(CHANGE_COLUMNS, change_rows(changes, code)), "", *change_notes(changes, code), ""]
    return "\n".join([*lines, *notes])
