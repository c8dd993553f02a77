"""`ocean bench` with the workloads and peers of authors, and the figures and claims of the papers.

python -m tools.bench --workload cpu,precision --out out/cpu
python -m tools.bench --workload image --peers cufft,dissertation --figures --out out/image
python -m tools.bench --figures --from out/image --out out/figures
"""

import argparse
from functools import partial
from pathlib import Path

from ocean import cli
from ocean.bench.command import WORKLOADS, transform_steps
from ocean.bench.peers import PEERS
from ocean.bench.rows import Bench
from ocean.common.errors import InputError
from tools import papers
from tools.cpu import precision, workload
from tools.cuda import kernels
from tools.papers import frame_workload, lines
from tools.papers.benches import Benches
from tools.papers.cases import CASES


def add() -> None:
    WORKLOADS.update({name: partial(transform_steps, cases) for name, cases in CASES.items()})
    WORKLOADS.update(
        roots=lines.roots_steps,
        reads=lines.reads_steps,
        frame=frame_workload.steps,
        cpu=workload.steps,
        **{f"cpu-{part}": partial(workload.steps, parts=(part,)) for part in workload.PARTS},
        precision=precision.steps,
    )
    PEERS.update(kernels.PEERS)


def main() -> None:
    add()
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench",
        description="Run `ocean bench` with more workloads (rectangle, mixed, prime, prime-sweep, single, guide, "
        "exchange, flight, roots, reads, frame, precision, cpu, and parts of cpu such as cpu-lines) and peers "
        "(pipeline, dissertation). It takes the options of `ocean bench`, and these:",
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("--figures", action="store_true", help="draw the papers' figures, and check their claims")
    parser.add_argument("--from", dest="source", type=Path, metavar="DIR", help="measure nothing, use these reports")
    parser.add_argument("--out", "-o", type=Path, metavar="DIR", help="folder for the results")
    own, others = parser.parse_known_args()
    if {"--help", "-h"} & {*others}:
        parser.print_help()
    elif own.source:
        if others or not own.out:
            parser.error("--from takes --out, and no other options, because it measures nothing")
        try:
            papers.redraw(own.source, own.out)
        except InputError as error:
            parser.error(str(error))
        return
    try:
        cli.main(["bench", *others, *(["--out", str(own.out)] if own.out else [])])
    except SystemExit as done:
        if done.code or not own.figures:
            raise
    print(*papers.write_papers(Benches((Bench.read(own.out / "bench.json"),)), own.out), sep="\n")


if __name__ == "__main__":
    main()
