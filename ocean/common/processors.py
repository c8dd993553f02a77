"""The number of processors that this process may use: in a container or on a cluster fewer than the machine has."""

import os
from math import inf
from pathlib import Path

GROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""The control groups of Linux (version 2), and the file that names the group of this process."""


def usable() -> int:
    """Return the number of processors that the process may run on, limited by the processor time that it is granted."""
    able = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(max(1, min(able, granted())))


def granted() -> float:
    """Return the number of processors whose time the control groups grant, infinite without a limit."""
    try:
        lines = OWN.read_text(encoding="utf-8").splitlines()
    except OSError:  # other systems have no control groups
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
