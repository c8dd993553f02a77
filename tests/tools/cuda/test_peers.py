"""Peers of the bench: CUDA through a stand-in for CuPy, our CUDA sources compiled for the CPU, and missing parts."""

import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from ocean.bench.cases import Case
from ocean.bench.command import measure_case
from ocean.bench.contest import Request
from ocean.bench.peers import PEERS, Arrays, GraphTimer, Peers
from ocean.gpu.timing import ClockTrial
from tests.messages import unnamed
from tools.cuda import kernels
from tools.cuda.kernels import SOURCES

from ...fft.samples import noise
from ...marks import slow
from . import cupy_on_cpu

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


class VkFFTApp:
    """VkFFT by numpy."""

    def __init__(self, shape, dtype, ndim, inplace, norm, stream, coalescedMemory=-1, aimThreads=-1):
        assert (dtype, inplace, norm) == (np.dtype("c8"), False, 0)
        assert isinstance(stream, cupy_on_cpu.cuda.Stream)
        assert (coalescedMemory, aimThreads) in ((-1, -1), (128, 64))
        self.shape, self.axes, self.nb_axis_upload = shape, tuple(range(-ndim, 0)), [1] * ndim

    def fft(self, source, target):
        cupy_on_cpu.do(lambda: np.copyto(target, np.fft.fftn(source, axes=self.axes)))

    def ifft(self, source, target):
        cupy_on_cpu.do(lambda: np.copyto(target, np.fft.ifftn(source, axes=self.axes, norm="forward")))


def tune_vkfft(tune, shape, dtype, ndim, inplace, stream, norm, **kwargs):
    """Replace pyvkfft's tuner: make each plan, and take the last choice of one parameter and the first of the other as
    the best."""
    tune = dict(tune)
    assert tune.pop("backend") == "cupy"
    choices = {**kwargs, "coalescedMemory": tune["coalescedMemory"][-1], "aimThreads": tune["aimThreads"][0]}
    assert set(choices) == set(tune)
    VkFFTApp(shape, dtype, ndim, inplace, norm, stream, **choices)
    return choices, [(choices, 100.0, 1.0)]


@pytest.fixture
def cupy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", cupy_on_cpu)
    vkfft = SimpleNamespace(VkFFTApp=VkFFTApp, tune_vkfft=tune_vkfft, vkfft_version=lambda: "1.3.4")
    monkeypatch.setitem(sys.modules, "pyvkfft.cuda", vkfft)
    return cupy_on_cpu


ALL = (*PEERS, *kernels.PEERS)


def request_of(ctx, peers=ALL):
    request = Request(("ocean",), backends=("stockham-shared",), peers=peers, rounds=3)
    request.ctx, request.trial = ctx, ClockTrial(0.0, 1.0)
    return request


def test_cpu_time_is_measured_by_launching_one_run(cupy, monkeypatch):
    """The CPU time is the time to launch one run; the GPU time is the time of all runs of a sample, in one graph."""
    timer, launched = GraphTimer(cupy, cupy.cuda.Stream(non_blocking=True)), []
    honest = GraphTimer.prepare

    def prepare(self, run, repeats):
        launched.append(repeats)
        return honest(self, run, repeats)

    monkeypatch.setattr(GraphTimer, "prepare", prepare)
    timer.time(lambda: None, 8)
    assert launched == [8, 1]


@needs_compiler
def test_all_peers_of_the_ocean_are_right_and_timed(ctx, cupy):
    found = measure_case(request_of(ctx), Case("ocean", 16, 2, 4, "RGBA32F", inverse=True))
    rows = {(row.name, row.options): row for row in found.rows if row.kind == "peer"}
    assert list(rows) == [
        ("cufft", "stream"),
        ("cufft", "graph"),
        ("vkfft", "graph"),
        ("vkfft", "tuned"),
        ("pipeline", "graph"),
        ("cuda-cooley-tukey", "stream"),
        ("cuda-stockham-radix2", "stream"),
        ("cuda-stockham-radix4", "stream"),
    ]
    for row in rows.values():
        assert row.obstacle is None
        assert row.is_right
        assert 0 < row.relative_l2 < 2e-6
        assert row.clock == "cuda"
        assert row.samples == 3
        assert row.median_ms > 0
    assert rows["cuda-stockham-radix4", "stream"].bytes == 2 * 2 * 2 * (4 * 16 * 16 * 8)  # axes, stages, both ways
    for name, radix in (("cooley-tukey", 2), ("stockham-radix2", 2), ("stockham-radix4", 4)):
        row = rows[f"cuda-{name}", "stream"]
        stages = 4 if radix == 2 else 2
        products, additions = 16 // radix * (radix - 1), 16 * (radix // 2)  # complex products of a stage
        assert row.real_flops == 2 * 4 * 16 * stages * (6 * products + 2 * additions)
        assert (row.barriers, row.storage_mib) == (2 * stages, 2 * 4 * 16 * 16 * 8 / 2**20)
    for name in ("cufft", "vkfft"):  # read and written once for each axis
        assert rows[name, "graph"].bytes == 2 * 2 * (4 * 16 * 16 * 8)
        assert rows[name, "graph"].dispatches is None
    assert rows["vkfft", "tuned"].bytes == rows["vkfft", "graph"].bytes
    assert (rows["vkfft", "graph"].plan, rows["vkfft", "tuned"].plan) == ("", "aimThreads=64 coalescedMemory=128")
    assert rows["pipeline", "graph"].bytes == 16 * 16 * (8 + 4) + (1 + 2 * 2) * (4 * 16 * 16 * 8)
    assert [(peer.name, peer.obstacle) for peer in found.peers] == [(name, None) for name in ALL]


@needs_compiler
def test_three_cascades_are_one_batch_from_amplitudes_to_maps(ctx, cupy):
    found = measure_case(
        request_of(ctx, ("pipeline",)), Case("cascades", 16, 2, 12, "RGBA32F", inverse=True, seas=(3,))
    )
    maps = {row.name: row for row in found.rows if row.part == "maps"}
    assert {(name, row.batch, row.is_right) for name, row in maps.items()} == {
        ("pipeline", 12, True),
        ("fused", 12, True),
    }
    assert maps["pipeline"].bytes == 3 * (16 * 16 * (8 + 4) + (1 + 2 * 2) * (4 * 16 * 16 * 8))


@pytest.mark.parametrize(
    ("owner", "method", "works", "left"),
    [
        (cupy_on_cpu.PlanNd, "__init__", 0, ["vkfft"]),
        (VkFFTApp, "__init__", 0, ["cufft", "cufft"]),
        (Arrays, "contestant", 1, ["cufft"]),  # its second contestant, and none of the other peer
    ],
)
def test_a_peer_that_cannot_be_made_is_left_out_alone(ctx, cupy, monkeypatch, owner, method, works, left):
    """Plans, memory and compilers fail at their first use, before anything is tried."""
    honest, calls = getattr(owner, method), []

    def refuse(*arguments, **options):
        calls.append(arguments)
        if len(calls) > works:
            raise RuntimeError("CUFFT_ALLOC_FAILED\nin a library")
        return honest(*arguments, **options)

    monkeypatch.setattr(owner, method, refuse)
    found = measure_case(request_of(ctx, ("cufft", "vkfft")), Case("image", 32, 2, 1, "RG32F", inverse=True))
    peers = [row for row in found.rows if row.kind == "peer"]
    assert [row.name for row in peers if row.median_ms] == left
    obstacles = {row.name: row.obstacle for row in peers if row.obstacle}
    assert all("CUFFT_ALLOC_FAILED" in why and "\n" not in why for why in obstacles.values())
    assert set(obstacles) == {"cufft", "vkfft"} - set(left) | ({"cufft", "vkfft"} if works else set())
    assert any(row.name == "stockham-shared" and row.is_right for row in found.rows)


@needs_compiler
@pytest.mark.parametrize("size", [slow(16), 32])
@pytest.mark.parametrize(("packed", "inverse"), [(1, False), slow(2, False), slow(1, True), (2, True)])
@pytest.mark.parametrize("kernel", kernels.KERNELS)
def test_kernels_on_surfaces_compute_transforms(cupy, kernel, size, inverse, packed):
    made = kernels.SurfaceTransform(cupy, kernel, size, 2, packed, inverse, 0.5)
    x = noise(2 * packed, size, size)
    made.write(x)
    made.run()
    expected = 0.5 * (np.fft.ifft2(x, norm="forward") if inverse else np.fft.fft2(x))
    assert np.linalg.norm(made.read() - expected) < 1e-6 * np.linalg.norm(expected)


def test_a_peer_that_is_wrong_does_not_run(ctx, cupy, monkeypatch):
    monkeypatch.setattr(VkFFTApp, "ifft", VkFFTApp.fft)
    found = measure_case(request_of(ctx, ("cufft", "vkfft")), Case("image", 32, 2, 1, "RG32F", inverse=True))
    rows = {row.name: row for row in found.rows}
    assert unnamed(rows["vkfft"].obstacle, "wrong error") == []
    assert rows["vkfft"].median_ms is None
    assert rows["cufft"].is_right


def test_rectangles_are_transformed_by_libraries(ctx, cupy):
    case = Case("rectangle", 32, 2, 1, "buffer", False, lines=64)
    found = measure_case(request_of(ctx, ("cufft", "vkfft", "dissertation")), case)
    assert [row.name for row in found.rows if row.kind == "peer"] == ["cufft", "cufft", "vkfft"]
    assert all(row.is_right and (row.size, row.lines) == (32, 64) for row in found.rows)


def test_vkfft_plans_by_itself_if_tuning_fails(ctx, cupy, monkeypatch):
    """pyvkfft's tuner prints the error, and reports that nothing was tried."""
    monkeypatch.setattr(sys.modules["pyvkfft.cuda"], "tune_vkfft", lambda tune, *shape, **kwargs: (kwargs, []))
    found = measure_case(request_of(ctx, ("vkfft",)), Case("image", 16, 2, 1, "RG32F", inverse=True))
    assert [(row.options, row.is_right) for row in found.rows if row.name == "vkfft"] == [("graph", True)]


def test_lines_are_transformed_by_libraries(ctx, cupy):
    found = measure_case(request_of(ctx, ("cufft", "vkfft", "dissertation")), Case("line", 64, 1, 8, "buffer", False))
    assert [row.name for row in found.rows if row.kind == "peer"] == ["cufft", "cufft", "vkfft"]
    assert all(row.is_right for row in found.rows)


def test_missing_libraries_are_named(ctx, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = measure_case(request_of(ctx), Case("image", 16, 2, 1, "RG32F", inverse=True))
    assert [peer.name for peer in found.peers] == list(ALL)
    assert all(unnamed(peer.obstacle, "CuPy pip install cupy-cuda13x") == [] for peer in found.peers)
    assert not [row for row in found.rows if row.kind == "peer"]


def test_peers_run_on_the_device_of_opengl_alone(cupy):
    (record,) = Peers(("cufft",), "NVIDIA H200/PCIe/SSE2").records
    assert unnamed(record.obstacle, "llvmpipe NVIDIA H200/PCIe/SSE2") == []


@pytest.mark.parametrize(("source", "packings"), [("surface_transforms.cu", (1, 2)), ("spectrum.cu", (1,))])
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_cuda_sources_compile(source, packings, tmp_path):
    for packed in packings:
        defines = [f"-DPACKED={packed}", "-DLOG2_N=9"]
        command = ["nvcc", "-cubin", "-arch=sm_90", *defines, "-o", str(tmp_path / "cubin"), str(SOURCES / source)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
