"""The cache of tuned plans between runs: one file for each GPU in the user's cache directory."""

import os
import re
import sys
from pathlib import Path

import moderngl
import platformdirs

from ocean.common.files import whole_files, writing
from ocean.fft.auto import TunedPlan, TunedPlans, ask_for_tuned
from ocean.fft.backends import AUTO
from ocean.fft.contract import FFTError


def cache_file(gpu: str) -> Path:
    name = re.sub(r"[^a-z0-9]+", "-", gpu.lower()).strip("-") or "gpu"
    return Path(platformdirs.user_cache_dir("fft-ocean", appauthor=False)) / f"tuned-{name}.json"


def use_cache(is_wanted: bool = True) -> None:
    """Let `auto` read the cache when it first chooses on a GPU, or never."""
    ask_for_tuned(read if is_wanted else None)


def read(ctx: moderngl.Context) -> TunedPlans | None:
    """Return the tuned plans for this context's GPU and driver, or None.

    Warns when the file is not usable, and when it holds plans that can't run, which are left out.
    """
    gpu, driver = ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"]
    path = cache_file(gpu)
    if not os.path.exists(path):
        return None
    try:
        plans = TunedPlans.load(path)
    except FFTError as error:
        warn(f"{error}; the cache is ignored")
        return None
    if (plans.gpu, plans.driver) != (gpu, driver):
        warn(f"{path}: tuned on {plans.gpu} with driver {plans.driver}; the cache is ignored")
        return None
    able, problems = {}, []
    for kind in ("plans", "lines"):
        found = [(plan, problem_of(ctx, plan)) for plan in getattr(plans, kind)]
        able[kind] = tuple(plan for plan, problem in found if not problem)
        problems += [
            f"{plan.size} and {f'{plan.layers} layers' if kind == 'plans' else 'lines'}: {problem}"
            for plan, problem in found
            if problem
        ]
    if problems:
        count, every = len(problems), len(plans.plans) + len(plans.lines)
        warn(f"{path}: {count} of {every} plans {'is' if count == 1 else 'are'} ignored, the first for {problems[0]}")
    return plans.model_copy(update=able)


def problem_of(ctx: moderngl.Context, plan: TunedPlan) -> str | None:
    """Return why a plan can't run at its tuned size, or None."""
    try:
        AUTO.tuned_choice(ctx, plan, plan.size)
        if plan.fused:
            AUTO.tuned_pair(ctx, plan.fused, plan.size)
    except FFTError as error:
        return str(error)
    return None


def warn(problem: str) -> None:
    print(f"ocean: warning: {problem}; bench --tune makes a new one", file=sys.stderr)


def save(ctx: moderngl.Context, plans: TunedPlans) -> Path:
    """Save plans for later runs.

    Raises:
        OutputError: when the file can't be written.
    """
    path = cache_file(ctx.info["GL_RENDERER"])
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        (folder / path.name).write_text(plans.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path
