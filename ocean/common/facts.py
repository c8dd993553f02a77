"""Facts of the program, the GPU and the machine, as records and as text."""

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from math import inf
from pathlib import Path
from typing import Any

from ocean import __version__
from ocean.common.records import Record

CHECKOUT = Path(__file__).parent.parent.parent
PACKAGES = (
    *("moderngl", "moderngl-window", "numpy", "pydantic", "pyfftw", "scipy"),
    *("cupy", "cupy-cuda12x", "cupy-cuda13x", "pyvkfft"),  # CuPy's package name depends on the CUDA version
)


class ProgramRecord(Record):
    """The program's version. The commit is null outside a checkout."""

    name: str = "ocean"
    version: str = __version__
    git_commit: str | None
    git_modified: bool | None  # True: tracked files differ from that commit


class GLRecord(Record):
    """The names that the OpenGL driver reports."""

    vendor: str
    renderer: str
    version: str


class HostRecord(Record):
    """The machine: processor, system, Python and packages."""

    cpu: str
    logical_cores: int
    system: str
    python: str
    packages: dict[str, str]


def command_line() -> str:
    """Return the command that started this process: `ocean`, or `python -m MODULE` of another program, with arguments.
    Absolute paths are shortened to their last part, which names no folder of the machine."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    module = spec.name.removesuffix(".__main__") if spec else "ocean"
    program = ["ocean"] if module == "ocean" else ["python", "-m", module]
    return shlex.join([*program, *(Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:])])


def program_facts(folder: Path = CHECKOUT) -> ProgramRecord:
    """Return the program's version, with its commit if `folder` is the root of a checkout and git works."""

    def git(*arguments: str) -> str | None:
        command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None

    commit = git("rev-parse", "HEAD") if (folder / ".git").exists() else None
    changes = git("status", "--porcelain", "--untracked-files=no") if commit else None
    return ProgramRecord(git_commit=commit, git_modified=None if changes is None else bool(changes))


def gl_facts(info: Mapping[str, Any]) -> GLRecord:
    """Return the driver's names from a context's `info`."""
    return GLRecord(vendor=info["GL_VENDOR"], renderer=info["GL_RENDERER"], version=info["GL_VERSION"])


def host_facts() -> HostRecord:
    return HostRecord(
        cpu=cpu_name(),
        logical_cores=os.cpu_count() or 1,
        system=platform.platform(),
        python=platform.python_version(),
        packages={name: version for name in PACKAGES if (version := package_version(name))},
    )


def package_version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def cpu_name() -> str:
    """Return the processor's model as the system reports it, or else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()


def provenance(info: Mapping[str, Any]) -> tuple[str, ...]:
    """Return device, driver, program and date as text, from a context's `info`."""
    gl, program = gl_facts(info), program_facts()
    commit = f", commit {program.git_commit}" if program.git_commit else ""
    modified = " (modified)" if program.git_modified else ""
    return (
        f"GPU: {gl.renderer}, driver {gl.version}",
        f"program: {program.name} {program.version}{commit}{modified}, on {utc_now():%Y-%m-%d %H:%M} UTC",
    )


def utc_now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


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
