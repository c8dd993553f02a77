"""Claims of papers, rules that check them against rows, and verdicts as Markdown."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import hypot, inf, log, log1p
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ocean.bench.rows import Bench
from tools.papers.benches import Benches, Curve, best, ratio
from tools.papers.drawing import Figure, Lines, digits, short


@dataclass(frozen=True)
class Finding:
    """Finding of a rule. `why` completes the sentence "does not hold: ..." with something measured, or "can't be told:
    ..." if noise hides the answer. `rule` says in words what was compared."""

    number: str
    holds: bool | None
    why: str = ""
    rule: str = ""
    exceeds: bool = False  # more than claimed, in the direction of the claim


Rule = Callable[[Benches], Finding | str | None]
"""A rule that makes a finding from rows, or names the missing ones, or returns None for those in `needs`."""


@dataclass(frozen=True)
class Claim:
    """Result that a paper states, with a key such as `mota.radix-4-beats-2`, which does not change with its words."""

    key: str
    source: str
    where: str
    statement: str
    rule: Rule
    needs: str = ""  # the missing measurement


def read_claims(texts: Mapping[str, ModuleType]) -> tuple[Claim, ...]:
    """Return the claims of `claims.toml`, with rules from the modules of the texts, which the keys begin with,
    or from SHARED."""
    found = []
    for entry in read("claims.toml", "claim"):
        module = texts[entry["key"].partition(".")[0]]
        name = entry.pop("rule", "unmeasured")
        rule = getattr(module, name, None) or SHARED[name]
        chosen = partial(rule, **entry.pop("with", {}))
        found.append(Claim(**entry, rule=chosen))
    return tuple(found)


def read_figures(texts: Mapping[str, ModuleType]) -> list[Callable[[Benches], Figure]]:
    """Return functions that make the figures of `figures.toml`, either from their panels or by a function of the module
    of a text."""
    found: list[Callable[[Benches], Figure]] = []
    for entry in read("figures.toml", "figure"):
        if "make" in entry:
            module, _, name = entry["make"].partition(".")
            found.append(partial(getattr(texts[module], name), **entry.get("with", {})))
        else:
            found.append(partial(described, **entry))
    return found


def read(name: str, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))[table]
    return entries


def described(measured: Benches, panels: Sequence[Mapping[str, Any]], **words: Any) -> Figure:
    """Return a figure whose panels have a query of `curve_of` for each curve."""
    lines = []
    for panel in panels:
        curves = {label: curve_of(measured, **query) for label, query in panel["curves"].items()}
        if "over" in panel:
            curves = {label: ratio(curve_of(measured, **panel["over"]), curve) for label, curve in curves.items()}
        other = {key: value for key, value in panel.items() if key != "over"}
        lines.append(Lines(**other | {"curves": curves}))
    return Figure(panels=lines, **words)


def markdown(measured: Benches, claims: Sequence[Claim]) -> str:
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
        f"and noise hides {hidden}; not measured: {len(claims) - len(verdicts)}. "
        "Times are medians; *CPU library* is the fastest of numpy, scipy and FFTW that ran, with its best number of "
        "threads, in batches of 2^20 elements; DIT in numpy is the iterative transform of the texts.",
        "",
        *(f"- {workloads(one)}: {one.noise_statement}" for one in measured.benches),
    ]
    for source in dict.fromkeys(claim.source for claim in claims):
        lines += ["", f"## {source}", "", "| where | claim | here | rule | |", "| --- | --- | --- | --- | --- |"]
        lines += [line(claim, one) for claim, (one, _) in zip(claims, found, strict=True) if claim.source == source]
    return "\n".join(lines) + "\n"


def judge(claim: Claim, *machines: Benches) -> tuple[Finding | str, Benches]:
    """Return the finding of a claim, or the missing rows, and the rows that it was judged by: rows of one machine, and
    of one report for each workload. Reports that can judge the claim are preferred by the number of CPU libraries, then
    of samples (of rows where noise does not matter), then by their date, whatever the verdict."""
    finding, measured = max((one for measured in machines for one in measured.by_report(claim.rule)), key=preference)
    return finding or claim.needs or "no rows of it", measured


def preference(one: tuple[Finding | str | None, Benches]) -> tuple[bool, bool, int, int, tuple[int, float]]:
    """Return a key by which one finding, with its rows, is preferred to another."""
    finding, measured = one
    is_timed = isinstance(finding, Finding) and "noise" in finding.rule
    samples = sum(row.samples for row in measured.returned) if is_timed else 0
    return isinstance(finding, Finding), bool(finding), -len(measured.lacking), samples, measured.weight


def verdict(finding: Finding) -> str:
    """Return the verdict in words."""
    if finding.holds:
        return "*exceeded*" if finding.exceeds else "*holds*"
    missed = "does not hold" if finding.holds is False else "can't be told"
    return f"*{missed}*" + (f": {finding.why}" if finding.why else "")


def workloads(bench: Bench) -> str:
    return ", ".join(dict.fromkeys(row.workload for row in bench.rows))


def line(claim: Claim, finding: Finding | str) -> str:
    """Return a row of the table."""
    if isinstance(finding, Finding):
        cells = [finding.number, finding.rule, verdict(finding)]
    else:
        cells = ["", "", without_rows(finding)]
    return f"| {claim.where} | {claim.statement} | {' | '.join(cells)} |"


def without_rows(reason: str) -> str:
    """Return the reason why no row judges a claim, or the verdict that it follows from."""
    return reason if reason.startswith("*") else f"not measured: {reason}"


# -- Rules -------------------------------------------------------------------------------------------------------------
# docs/bench/papers.md says what each one means.

ERRORS, LARGEST = 0.01, 0.3  # noise of errors, and of the largest error or that of few values, by the random seed
SIMILAR = 1.1  # values that differ by no more than this are similar, or not noticed
LIBRARIES = ("numpy", "scipy", "pyfftw")
LAWS: dict[str, Callable[[float], float]] = {
    "a constant": lambda n: 1.0,
    "log N": log,
    "N": lambda n: n,
    "N log N": lambda n: n * log(n),
    "N²": lambda n: n**2,
}
"""Laws of growth that rules distinguish."""


def listed(curve: Curve, form: str | Callable[[float], str] = "{:.2f} ×") -> str:
    """Return the values of a curve in words; of more than eight, the first, last, smallest and largest."""
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


def over(value: float, bound: float, noise: float) -> bool | None:
    """Return True if a value is above a bound by more than noise, False if it is below by more than noise, or else
    None."""
    if value > bound * (1 + noise):
        return True
    return False if value * (1 + noise) < bound else None


def error_finding(number: str, holds: bool | None, rule: str, why: str = "", noise: float = ERRORS) -> Finding:
    """Return a finding on errors. If `holds` is None, one is near the bound."""
    return Finding(number, holds, f"within {noise:.0%} of the bound" if holds is None else why, rule)


def all_of(*verdicts: bool | None) -> bool | None:
    """Return the verdict on several conditions."""
    return False if False in verdicts else None if None in verdicts else True


def worst(noise: Curve) -> float:
    """Return the largest noise of several sizes."""
    return max(noise.values(), default=0.0)


def worse(*noises: Curve) -> Curve:
    """Return the larger noise at each size that all curves have."""
    return {n: max(noise[n] for noise in noises) for n in noises[0] if all(n in noise for noise in noises)}


def together(*noises: Curve) -> Curve:
    """Return the noise of a ratio of times of several workloads, at each size that all have."""
    return {n: hypot(*(noise[n] for noise in noises)) for n in noises[0] if all(n in noise for noise in noises)}


def ruled(kind: str, noise: Iterable[float]) -> str:
    """Return a rule in words, with the range of the noise."""
    ends = [f"{one:.1%}" for one in sorted(noise)]
    return f"{kind}; noise {' to '.join(dict.fromkeys((ends[0], ends[-1])))}" if ends else kind


def finding_of(number: str, holds: bool | None, rule: str, why: str = "", exceeds: bool = False) -> Finding:
    """Return a finding. If `holds` is None, noise is the reason."""
    return Finding(number, holds, "noise hides it" if holds is None else why, rule, exceeds)


def compare(
    measured: Benches,
    fast: dict[str, Any],
    slow: dict[str, Any],
    why: str = "",
    judged: str = "each",
    says: str = "{} as fast",
    bound: float = 1,
    least: float = 0,
    most: float = inf,
    rounded: bool = False,
) -> Finding | None:
    """Return the finding on the speed-up of `fast` over `slow`, two queries of `curve_of`, at sizes from `least` to
    `most`. `judged` names the function that judges all sizes, and `says` has room for the speed-ups. Images are judged
    in both directions, where both were measured."""
    if fast["workload"] == "image" and "direction" not in fast and not fast.get("value"):
        others = why, judged, says, bound, least, most
        return both_ways(lambda way: compare(measured, fast | {"direction": way}, slow | {"direction": way}, *others))
    curves = [curve_of(measured, **query) for query in (slow, fast)]
    if fast.get("value") == "gflops":
        curves.reverse()
    gains = {n: gain for n, gain in ratio(*curves).items() if least <= n <= most}
    kinds = dict.fromkeys((one["workload"], one.get("part"), one.get("value", "median_ms")) for one in (fast, slow))
    noise = together(*(measured.noise(workload, gains, part, value) for workload, part, value in kinds))
    measured.forget(gains)
    return JUDGES[judged](gains, says.format(listed(gains, rated if rounded else "{:.2f} ×")), noise, why, bound)


def both_ways(judge: Callable[[str], Finding | None]) -> Finding | None:
    """Return the finding of a rule on both directions, or on the forward one if only that was measured."""
    there, back = (judge(way) for way in ("forward", "inverse"))
    if not there or not back:
        return there
    holds = all_of(there.holds, back.holds)
    number, rule = (
        one if one == other else f"{one}, forward; {other}, inverse"
        for one, other in ((there.number, back.number), (there.rule, back.rule))
    )
    reasons = {way: one.why for way, one in (("forward", there), ("inverse", back)) if one.holds is holds and one.why}
    is_same = len(reasons) == 2 and there.why == back.why
    why = there.why if is_same else "; ".join(f"{way} {one}" for way, one in reasons.items())
    number = f"{number}, both ways" if there.number == back.number else number
    return Finding(number, holds, why, rule, there.exceeds and back.exceeds)


def in_both_ways(judge: Callable[[Benches, str], Finding | None]) -> Callable[[Benches], Finding | None]:
    return lambda measured: both_ways(partial(judge, measured))


def curve_of(measured: Benches, workload: str, name: str | list[str], value: str = "median_ms", **same: Any) -> Curve:
    """Return the values of one transform; of the CPU's fastest library (`name = "library"`), with its best number of
    threads; or the highest values of several transforms, at sizes that all have."""
    if name == "library":
        rows = [row for library in LIBRARIES for row in measured.rows(workload, library, **same)]
        chosen = dict.fromkeys((row.name, row.workers) for row in rows)
        measured.lacking.update({*LIBRARIES} - {row.name for row in rows})
        found = best(measured.curve(value, workload, one, workers=workers, **same) for one, workers in chosen)
        measured.seen.difference_update(id(row) for row in rows if getattr(row, value) != found.get(row.size))
        return found  # the scatter of rows that are not the best does not count
    if isinstance(name, list):
        return worse(*(measured.curve(value, workload, one, **same) for one in name))
    if value == "relative_l2":
        same.setdefault("is_right", None)  # wrong results have errors too
    usual: dict[str, Any] = {"direction": "forward", "batch": 1, "options": ""} if workload == "image" else {}
    return measured.curve(value, workload, name, **usual | same)


def rated(gain: float) -> str:
    return f"{digits(gain)} ×"


def each(
    values: Curve, number: str, noise: Curve, why: str = "", bound: float = 1, form: str = "{:g} ×"
) -> Finding | None:
    """Return the finding whether all values are above a bound; None without values."""
    found = {n: over(value, bound, noise[n]) for n, value in values.items()}
    return at_sizes(found, number, why, ruled(f"each above {form.format(bound)}", (noise[n] for n in values)))


def at_sizes(found: dict[float, bool | None], number: str, why: str, rule: str) -> Finding | None:
    """Return the finding on conditions at several sizes; None without sizes."""
    if not found:
        return None
    holds = all_of(*found.values())
    missed = at(n for n, one in found.items() if one is holds)
    return Finding(
        number,
        holds,
        f"noise hides it at {missed}" if holds is None else "; ".join(filter(None, (f"not at {missed}", why))),
        rule,
    )


def none(
    values: Curve, number: str, noise: Curve, why: str = "", bound: float = 1, form: str = "{:g} ×"
) -> Finding | None:
    """Return the finding whether all values are below a bound; None without values."""
    found = each({n: bound / value for n, value in values.items()}, number, noise, why)
    return found and replace(found, rule=found.rule.replace("above 1 ×", f"below {form.format(bound)}"))


def once(
    values: Curve, number: str, noise: Curve, why: str = "", bound: float = 1, form: str = "{:g} ×"
) -> Finding | None:
    """Return the finding whether at least one value is above a bound; None without values."""
    if not values:
        return None
    found = {n: over(value, bound, noise[n]) for n, value in values.items()}
    holds = True if True in found.values() else None if None in found.values() else False
    rule = ruled(f"one above {form.format(bound)}", (noise[n] for n in values))
    return finding_of(number, holds, rule, why)


JUDGES = {"each": each, "none": none, "once": once}


def typically(
    value: float, number: str, noise: float, why: str = "", bound: float = 1, form: str = "{:g} ×", kind: str = "median"
) -> Finding:
    """Return the finding whether one value that stands for several sizes is above a bound."""
    holds = over(value, bound, noise)
    rule = ruled(f"{kind} above {form.format(bound)}", [noise])
    return finding_of(number, holds, rule, why)


def up_to(
    found: float,
    claimed: float,
    number: str,
    noise: float,
    why: str = "",
    form: Callable[[float], str] = "{:g} ×".format,
    base: float = 0.0,
) -> Finding:
    """Return the finding whether the largest of several values is from half to twice the claimed one. Noise is a share
    of `base` plus the value."""
    holds = over(base + found, base + claimed / 2, noise)
    exceeds = over(base + found, base + 2 * claimed, noise) is True
    rule = ruled(f"up to {form(claimed)}", [noise])
    return finding_of(number, holds, rule, why, exceeds)


def ranged(found: float, low: float, high: float, number: str, noise: float, why: str) -> Finding:
    """Return the finding whether a median lies in a range, or above it."""
    holds = over(found, low, noise)
    rule = ruled(f"median from {low:g} × to {high:g} ×", [noise])
    return finding_of(number, holds, rule, why, exceeds=over(found, high, noise) is True)


def about(
    values: Curve, claimed: float, number: str, why: str, form: Callable[[float], str], noise: float = 0.0
) -> Finding | None:
    """Return the finding whether all values are from half to twice the claimed one; None without values."""
    found = {n: all_of(over(value, claimed / 2, noise), over(2 * claimed, value, noise)) for n, value in values.items()}
    rule = f"about {form(claimed)}"
    return at_sizes(found, number, why, ruled(rule, [noise]) if noise else rule)


def law(times: Curve, claimed: str, why: str = "", noise: Curve | None = None) -> Finding | None:
    """Return the finding whether times grow by one of LAWS: the fitted power of N is nearer to the law's power than to
    that of any other law. The limit is halfway to the next law on the side of the fitted power."""
    if len(times) < 3:
        return None
    here, theirs = power(times), {name: power({n: f(n) for n in times}) for name, f in LAWS.items()}
    there = theirs[claimed]
    gaps = {name: other - there for name, other in theirs.items() if name != claimed}
    side = {name: gap for name, gap in gaps.items() if (gap > 0) is (here > there)} or gaps
    following = min(side, key=lambda name: abs(side[name]))
    limit = abs(side[following]) / 2
    hidden, apart = log1p(worst(noise or {})) / log(max(times) / min(times)), abs(here - there)
    number = (
        f"as N^{here:.2f} ± {hidden:.2f} from {short(min(times))} to {short(max(times))}; for {claimed} the power "
        f"would be {there:.2f}"
    )
    rule = f"growth nearer to {claimed} than to {following}, within {limit:.2f}; noise {hidden:.2f}"
    return finding_of(number, None if abs(apart - limit) <= hidden else apart < limit, rule, why)


def grows(
    measured: Benches, query: Mapping[str, Any], claimed: str, why: str = "", least: float = 0, most: float = inf
) -> Finding | None:
    """Return the finding of `law` on the values of a query at sizes from `least` to `most`."""
    times = {n: y for n, y in curve_of(measured, **query).items() if least <= n <= most}
    measured.forget(times)
    noise = None if query.get("value") == "relative_l2" else measured.noise(query["workload"], times, query.get("part"))
    return law(times, claimed, why, noise)


def bounded(
    measured: Benches,
    values: Mapping[str, Any],
    says: str,
    rule: str,
    why: str = "",
    over: Mapping[str, Any] | None = None,
    low: float = 0,
    high: float = inf,
    rounded: bool = False,
) -> Finding | None:
    """Return the finding whether the largest value of a query, or of its ratio to the query `over`, lies from `low` to
    `high`. `says` has room for all values and for the largest."""
    found = curve_of(measured, **values)
    if over:
        found = ratio(found, curve_of(measured, **over))
    if not found:
        return None
    measured.forget(found)
    largest = max(found.values())
    number = says.format(listed(found, rated if rounded else "{:.2f} ×"), largest=largest)
    return Finding(number, low <= largest <= high, why or f"it is {'smaller' if largest < low else 'larger'}", rule)


def unmeasured(measured: Benches) -> None:
    """Return no finding, for a claim without rows."""


RULES: tuple[Callable[..., Finding | None], ...] = (compare, grows, bounded, unmeasured)
SHARED = {rule.__name__: rule for rule in RULES}  # rules that claims of all texts name


def power(curve: Curve) -> float:
    """Return the power of x with which a curve grows: the slope of a line fitted through the logarithms."""
    return float(np.polyfit(np.log(list(curve)), np.log(list(curve.values())), 1)[0])


def pays_from(gains: Curve) -> float | None:
    """Return the size from which on no gain is below 1."""
    return next((n for n in gains if all(gain >= 1 for gain in beyond(gains, n).values())), None)


def beyond(curve: Curve, least: float) -> Curve:
    """Return the part of a curve from x = `least` on."""
    return {x: y for x, y in curve.items() if x >= least}
