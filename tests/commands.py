"""The command line, in a process of its own; the fixture `ocean_here` runs it in this one."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def ocean(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "app.py", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "120", **environment},
    )
