"""Where tuned plans are kept between runs: a file for each GPU in the user's cache directory."""

import os
import re
import sys
from pathlib import Path

import moderngl
import platformdirs

from ocean.fft.auto import TunedPlans, ask_for_tuned
from ocean.fft.contract import FFTError
from ocean.files import whole_files, writing


def cache_file(gpu: str) -> Path:
    """The file of a GPU, by the name that its driver gives it."""
    name = re.sub(r"[^a-z0-9]+", "-", gpu.lower()).strip("-") or "gpu"
    return Path(platformdirs.user_cache_dir("fft-ocean", appauthor=False)) / f"tuned-{name}.json"


def use_cache(is_wanted: bool = True) -> None:
    """Let `auto` ask the cache when it first picks on a GPU, or never."""
    ask_for_tuned(read if is_wanted else None)


def read(ctx: moderngl.Context) -> TunedPlans | None:
    """What was tuned on this context's GPU and driver; None, with a warning, where the file is of no use."""
    gpu, driver = ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"]
    path = cache_file(gpu)
    if not os.path.exists(path):
        return None
    try:
        plans = TunedPlans.load(path)
        if (plans.gpu, plans.driver) == (gpu, driver):
            return plans
        problem = f"{path}: tuned on {plans.gpu} with driver {plans.driver}"
    except FFTError as error:
        problem = str(error)
    print(f"ocean: warning: {problem}; the cache is ignored, and bench --tune makes a new one", file=sys.stderr)
    return None


def save(ctx: moderngl.Context, plans: TunedPlans) -> Path:
    """Keep plans for later runs.

    Raises:
        OutputError: when the file can't be written.
    """
    path = cache_file(ctx.info["GL_RENDERER"])
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        (folder / path.name).write_text(plans.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path
