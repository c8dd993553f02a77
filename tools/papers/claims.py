"""Claims: statements of texts, rules that check them against rows, and the verdicts as Markdown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, log, log1p

import numpy as np

from ocean.bench.rows import Bench
from tools.papers.drawing import short
from tools.papers.measured import Curve, Measured, ratio


@dataclass(frozen=True)
class Finding:
    """The finding of a rule. `why` completes the sentence "does not hold: ...", or "can't be told: ..." where noise
    hides the answer. `rule` says in words what was compared with what."""

    number: str
    holds: bool | None
    why: str = ""
    rule: str = ""
    exceeds: bool = False  # more than was claimed, in the direction of the claim


Rule = Callable[[Measured], Finding | str | None]
"""A rule that makes a finding from rows, or names the missing ones, or returns None for those in `needs`."""


@dataclass(frozen=True)
class Claim:
    """A result that a text states."""

    source: str
    where: str
    statement: str
    rule: Rule
    needs: str = ""  # a measurement that it needs


def markdown(measured: Measured, claims: Sequence[Claim]) -> str:
    """Return a table for each text, with the machine."""
    found = [judge(claim, measured) for claim in claims]
    verdicts = [finding.holds for finding, _ in found if isinstance(finding, Finding)]
    held, broken, hidden = (sum(one is verdict for one in verdicts) for verdict in (True, False, None))
    exceeded = sum(isinstance(finding, Finding) and finding.exceeds for finding, _ in found)
    programs = dict.fromkeys(
        f"{one.program.name} {one.program.version} at {(one.program.git_commit or 'an unknown commit')[:12]}"
        for one in measured.benches
    )
    days = sorted({f"{one.created:%Y-%m-%d}" for one in measured.benches})
    lines = [
        "# The papers' claims on this machine",
        "",
        f"{measured.device}; OpenGL by {measured.clock}, CUDA by its events, the CPU and transfers by the wall clock. "
        f"{', '.join(programs)}, {' and '.join(days)}.",
        "",
        f"Of {len(claims)} claims {held} hold ({exceeded} of them are exceeded), {broken} do not, "
        f"{hidden} can't be told for noise; not measured: "
        f"{len(claims) - len(verdicts)}. "
        "Times are medians; *CPU library* is the fastest of numpy, scipy and FFTW that ran, with its best number of "
        "threads, in batches of 2^20 elements; DIT in numpy is the iterative transform of the texts.",
        "",
        *(f"- {workloads(one)}: {one.noise_statement}" for one in measured.benches),
    ]
    for source in dict.fromkeys(claim.source for claim in claims):
        lines += ["", f"## {source}", "", "| where | claim | here | rule | |", "| --- | --- | --- | --- | --- |"]
        lines += [line(claim, one) for claim, (one, _) in zip(claims, found, strict=True) if claim.source == source]
    return "\n".join(lines) + "\n"


def judge(claim: Claim, measured: Measured) -> tuple[Finding | str, tuple[str, ...]]:
    """Return the finding of a claim, or what is missing, and the workloads with the rows that were asked for."""
    asked = replace(measured, workloads=set())
    return claim.rule(asked) or claim.needs or "no rows of it", tuple(sorted(asked.workloads))


def verdict(finding: Finding) -> str:
    """Return the verdict in words."""
    if finding.holds:
        return "*exceeded*" if finding.exceeds else "*holds*"
    missed = "does not hold" if finding.holds is False else "can't be told"
    return f"*{missed}*: {finding.why}"


def workloads(bench: Bench) -> str:
    return ", ".join(dict.fromkeys(row.workload for row in bench.rows))


def line(claim: Claim, finding: Finding | str) -> str:
    """Return a row of the table."""
    if isinstance(finding, Finding):
        cells = [finding.number, finding.rule, verdict(finding)]
    else:
        cells = ["", "", f"not measured: {finding}"]
    return f"| {claim.where} | {claim.statement} | {' | '.join(cells)} |"


# -- Rules that several claims share -----------------------------------------------------------------------------------


def listed(curve: Curve, form: str | Callable[[float], str] = "{:.2f} ×") -> str:
    """Return all values of a curve in words; of many, the ends, the least and the greatest."""
    said = form if callable(form) else form.format
    chosen = list(curve.items())
    if len(chosen) > 8:
        ends = {chosen[0], chosen[-1], min(chosen, key=lambda one: one[1]), max(chosen, key=lambda one: one[1])}
        chosen = sorted(ends)
    return ", ".join(f"{said(y)} at {short(x)}" for x, y in chosen)


def at(sizes: Iterable[float]) -> str:
    """Return sizes in words; of many, the first and the last."""
    found = sorted(sizes)
    if len(found) > 6:
        return f"{len(found)} sizes from {short(found[0])} to {short(found[-1])}"
    return ", ".join(map(short, found))


def beats(fast: Curve, slow: Curve, tolerance: float | Curve, why: str) -> Finding | None:
    """Return whether one takes less time than the other at every size, by more than the noise."""
    gains = ratio(slow, fast)
    return judged(gains, f"{listed(gains)} as fast", tolerance, why) if gains else None


def faster(
    measured: Measured, workload: str, fast: Curve, slow: Curve, why: str, part: str | None = None
) -> Finding | None:
    """Return whether one is faster, within one workload."""
    return beats(fast, slow, measured.noise(workload, fast, part), why)


def judged(gains: Curve, number: str, tolerance: float | Curve, why: str, bound: str = "") -> Finding:
    """Return whether all gains are above 1 by more than a tolerance, of all sizes or each: False where one is as far
    below, and None where one lies between. `bound` names what a gain of 1 stands for, where it is no tie."""
    noise = tolerance if isinstance(tolerance, dict) else dict.fromkeys(gains, tolerance)
    lost = [size for size, gain in gains.items() if gain * (1 + noise[size]) < 1]
    open_ = [size for size, gain in gains.items() if 1 <= gain * (1 + noise[size]) <= (1 + noise[size]) ** 2]
    rule = every([noise[size] for size in gains], bound)
    if lost or not open_:
        return Finding(number, not lost, f"not at {at(lost)}; {why}", rule)
    return replace(unclear(number, max(noise[size] for size in open_), open_), rule=rule)


def every(noise: Sequence[float], bound: str) -> str:
    """Return the rule of `judged` in words."""
    least, most = min(noise), max(noise)
    start = f"at every size {bound}".rstrip()
    if least == most:
        return f"{start}, by more than {most:.1%} of noise"
    return f"{start}, by more than the noise there, {least:.1%} to {most:.1%}"


def typically(gain: float, sizes: Iterable[float], number: str, tolerance: float, why: str, bound: str = "") -> Finding:
    """Return the verdict on one gain that stands for these sizes."""
    rule = f"{f'the median {bound}'.rstrip()}, by more than {tolerance:.1%} of noise"
    if 1 <= gain * (1 + tolerance) <= (1 + tolerance) ** 2:
        return replace(unclear(number, tolerance, sizes), rule=rule)
    return Finding(number, gain > 1, why, rule)


def unclear(number: str, tolerance: float, sizes: Iterable[float]) -> Finding:
    """Return words for sizes at which noise hides the answer."""
    why = f"what differs by less than {tolerance:.1%} does not count, as at {at(sizes)}"
    return Finding(number, None, why, f"beyond {tolerance:.1%} of noise")


def between(
    values: Curve, low: float, high: float, why: str, form: Callable[[float], str] = "{:.2f} ×".format
) -> Finding | None:
    """Return whether the best of several lies between two bounds, or beyond them."""
    if not values:
        return None
    size, found = max(values.items(), key=lambda one: one[1])
    rule = f"the largest from {form(low)} to {form(high)}" if high < inf else f"the largest at least {form(low)}"
    return Finding(f"at most {form(found)}, at {short(size)}", low <= found <= high, why, rule)


def up_to(
    found: float, claimed: float, number: str, why: str, form: Callable[[float], str] = "{:.2f} ×".format
) -> Finding:
    """Return whether the best of several is about as high as claimed: from half to twice as high."""
    rule = f"the largest from half to twice {form(claimed)}"
    return Finding(number, found >= claimed / 2, why, rule, exceeds=found > 2 * claimed)


def about(values: Curve, claimed: float, why: str, form: Callable[[float], str]) -> Finding:
    """Return whether all values are about as high as claimed: from half to twice as high."""
    lost = [size for size, found in values.items() if not claimed / 2 <= found <= 2 * claimed]
    return Finding(
        listed(values, form), not lost, f"not at {at(lost)}; {why}", f"at every size from half to twice {form(claimed)}"
    )


STRAIGHT = 0.1
"""Difference of two powers of N from which on growth is another."""


def law(times: Curve, claimed: Callable[[float], float], name: str, tolerance: float, why: str) -> Finding | None:
    """Return whether times grow as claimed: with the same power of N, fitted through all sizes, whatever the noise
    added or took away."""
    if len(times) < 3:
        return None
    here, there = power(times), power({n: claimed(n) for n in times})
    noise = log1p(tolerance) / log(max(times) / min(times))
    apart = abs(here - there)
    number = f"as N to the power of {here:.2f} ± {noise:.2f}; {name} grows as N to that of {there:.2f}"
    rule = f"the power of N within {STRAIGHT:g}, by more than {noise:.2f} of noise"
    if abs(apart - STRAIGHT) <= noise:
        return Finding(number, None, "the noise is as large as the difference", rule)
    return Finding(number, apart < STRAIGHT, why, rule)


def unmeasured(measured: Measured) -> None:
    """Return the finding for a claim without rows."""


def power(curve: Curve) -> float:
    """Return the power of x with which a curve grows: the slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(list(curve)), np.log(list(curve.values())), 1)[0])


def beyond(curve: Curve, least: float) -> Curve:
    """Return the part of a curve from a size on."""
    return {x: y for x, y in curve.items() if x >= least}
