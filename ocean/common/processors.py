"""How many processors this process may use: of a cluster's machine, or in a container, not all that there are."""

import os
from math import inf
from pathlib import Path

GROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""Where Linux has its control groups (version 2), and says which one this process is in."""


def usable() -> int:
    """Processors that it may run on, or fewer where it is granted less than their time."""
    able = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(max(1, min(able, granted())))


def granted() -> float:
    """Processors whose time the control groups that it is in grant it, infinite where none sets a limit."""
    try:
        lines = OWN.read_text(encoding="utf-8").splitlines()
    except OSError:  # another system has no such thing
        return inf
    found = [inf]
    for name in (line.removeprefix("0::") for line in lines if line.startswith("0::")):
        group = GROUPS / name.strip("/")
        for folder in (group, *group.parents):
            limit = folder / "cpu.max"
            if folder.is_relative_to(GROUPS) and limit.is_file():
                quota, period = limit.read_text(encoding="utf-8").split()
                found.append(inf if quota == "max" else int(quota) / int(period))
    return min(found)
