"""Errata of the five texts: each listing run literally, then with the corrections of docs/bench/errata.md.

The functions below follow the listings step by step, with their variables and a parameter for each correction. A
listing with several mistakes runs as printed, with each one alone, and with none. Sequences are complex128, so what is
right agrees with numpy's transform within rounding, and what is wrong differs by the size of the numbers.
Errata of Beechwood's guide are in tests/fft/test_worked_examples.py.
"""

import cmath
import itertools
import math
import subprocess

import moderngl
import numpy as np
import pytest

FORWARD, INVERSE = -1, 1
DIRECTIONS = {FORWARD: np.fft.fft, INVERSE: lambda x: np.fft.ifft(x) * len(x)}
PLANES = {FORWARD: np.fft.fft2, INVERSE: np.fft.ifft2}


def sequence(*shape, seed=0):
    rng = np.random.default_rng([seed, *shape])
    return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)


def equal(x, y):
    """Return whether `x` and `y` agree within rounding: 1e-12 of the norm, for at most 2^12 numbers."""
    return bool(np.linalg.norm(x - y) < 1e-12 * np.linalg.norm(y))


def root(turns):
    return cmath.exp(2j * math.pi * turns)


def log2(n):
    return n.bit_length() - 1


def compiles(code):
    """Return whether g++ accepts C++ code."""
    command = ["g++", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=code, capture_output=True, text=True).returncode == 0


# ---- Mota 2022 ----


def bit_reverse(i, bits):
    n = 0
    for _ in range(bits):
        n = n << 1 | i & 1
        i >>= 1
    return n


def printed_bit_reverse(i, bits, returns_n=False):
    """Algorithm 1, whose loop variable is its argument."""
    n = 0
    for i in range(bits):
        n = n << 1
        n = n | (i & 1)
        i = i >> 1
    return n if returns_n else i


def decimation_in_time(x, corrected=True, sign=FORWARD):
    """Algorithm 2, and listing 1 of Rao with sign +1. Bounds include their last value: its inner loop ends at m/2."""
    y = np.array([x[bit_reverse(i, log2(len(x)))] for i in range(len(x))])
    for s in range(1, log2(len(x)) + 1):
        m = 2**s
        for k in range(0, len(x), m):
            w = 1
            for j in range(m // 2 + (not corrected)):
                a, b = y[k + j], w * y[k + j + m // 2]
                y[k + j], y[k + j + m // 2] = a + b, a - b
                w *= root(sign / m)
    return y


def decimation_in_frequency(x, swapped=True, sign=1):
    """Algorithm 3: a and b are swapped, and the exponent of the "forward" transform is positive."""
    y = x.copy()
    for s in range(log2(len(x))):
        size = len(x) >> s
        for k in range(0, len(x), size):
            for j in range(size // 2):
                a, b = y[k + j], y[k + j + size // 2]
                if swapped:
                    a, b = b, a
                y[k + j], y[k + j + size // 2] = a + b, (a - b) * root(sign * j / size)
    return np.array([y[bit_reverse(i, log2(len(x)))] for i in range(len(x))])


def stockham2(x, stride_is_stage=False, all_indices=False, returns_other=False, per_invocation=1):
    """Algorithm 4, and listing A.5, which has an invocation for every `per_invocation` butterflies. As printed s is
    stage and stride, i runs over all indices, and it returns the other array. There is memory beyond the arrays."""
    size = len(x)
    pingpong = [np.append(some, np.full(size, np.nan)) for some in (x, np.zeros_like(x))]
    for stage in range(log2(size)):
        gs, stride = size >> stage, 1 << stage
        s = stage if stride_is_stage else stride
        y, z = pingpong[stage % 2][:size], pingpong[1 - stage % 2]
        for i in range(size if all_indices else size // 2 // per_invocation):
            p, q = divmod(i, stride)
            a, b = y[q + s * p], y[q + s * (p + gs // 2)]
            z[q + s * 2 * p], z[q + s * (2 * p + 1)] = a + b, (a - b) * root(-p / gs)
        if not np.isnan(z[size:]).all():
            raise IndexError("written beyond the array")
    return pingpong[(log2(size) + returns_other) % 2][:size]


def stockham4(
    x, sign=FORWARD, odd_sign=None, all_indices=False, chosen_by_log=False, precedence=False, per_invocation=1
):
    """Algorithms 5 (sign -1) and 6 (sign +1), and listing A.8, which has an invocation for every `per_invocation`
    butterflies. `odd_sign` is the sign in the branch of odd stages."""
    stages = log2(len(x)) // 2
    pingpong = [x.copy(), np.zeros_like(x)]
    for stage in range(stages):
        n = 1 << (stages - stage * 2 if precedence else (stages - stage) * 2)
        s = 1 << stage * 2
        y, z = pingpong[stage % 2], pingpong[1 - stage % 2]
        j = 1j * (sign if stage % 2 == 0 or odd_sign is None else odd_sign)
        for i in range(len(x) if all_indices else len(x) // 4 // per_invocation):
            p, q = divmod(i, s)
            a, b, c, d = (y[q + s * (p + m)] for m in (0, n // 4, n // 2, n // 4 + n // 2))
            for k, value in enumerate(dragonfly(a, b, c, d, j, root(sign * p / n))):
                z[q + s * (4 * p + k)] = value
    last = log2(len(x)) % 2 == 0 if chosen_by_log else stages % 2 == 1
    return pingpong[1 if last else 0]


def dragonfly(a, b, c, d, j, w1p):
    """Figure 9, algorithms 5 and 6 and listing C.3, with `j` as the square root of -1 times the sign."""
    w2p = w1p * w1p
    w3p = w1p * w2p
    apc, amc, bpd, jbmd = a + c, a - c, b + d, j * (b - d)
    return apc + bpd, w1p * (amc + jbmd), w2p * (apc - bpd), w3p * (amc - jbmd)


def stages_of_a_line(buffers, first, sign, radix, in_time, scale, one_way=False, reversing=(0, 1)):
    """Stages of listings A.1 and C.1 (`in_time`), C.2 and C.3 on one line, which begins in buffer `first`. `one_way`
    is the fault of C.2's column pass: both branches read buffer 0 and write buffer 1. `reversing` are the values of
    pingpong at which the first stage reverses bits."""
    n = len(buffers[0])
    bits, stages = log2(n), log2(n) // log2(radix)
    for stage in range(stages):
        at = 0 if one_way else (first + stage) % 2
        factor = scale if stage == stages - 1 else 1
        y, z = buffers[at], buffers[1 - at]
        stride = radix**stage
        for line in range(n // radix):
            p, q = divmod(line, stride)
            if in_time:
                i, j = (q + 2 * stride * p + k * stride for k in range(2))
                a, b = (y[bit_reverse(k, bits)] if stage == 0 and at in reversing else y[k] for k in (i, j))
                b *= root(sign * q / (2 * stride))
                z[i], z[j] = (a + b) * factor, (a - b) * factor
                continue
            size = n // stride
            values = [y[q + stride * (p + k * size // radix)] for k in range(radix)]
            w = root(sign * p / size)
            a, b = values[:2]
            results = (a + b, w * (a - b)) if radix == 2 else dragonfly(*values, sign * 1j, w)
            for k, value in enumerate(results):
                z[q + stride * (radix * p + k)] = value * factor


def plane(x, sign, radix, in_time, one_way=False, ignored_direction=False, scaled=True):
    """Rows, then columns, of listings C.1 to C.3. Return both buffers; where passes take turns, the last writes the
    first."""
    n = len(x)
    stages = log2(n) // log2(radix)
    buffers = np.array([x, np.zeros_like(x)])
    direction = FORWARD if ignored_direction else sign
    scale = 1 / n**2 if sign == INVERSE and scaled else 1
    for row in range(n):
        stages_of_a_line(buffers[:, row], 0, direction, radix, in_time, 1)
    for column in range(n):
        stages_of_a_line(buffers[:, :, column], stages % 2, direction, radix, in_time, scale, one_way)
    return buffers


def test_equation_1_gives_a_mirrored_function():
    """Its inverse has the sign of the forward transform. On a grid that is the DFT twice over N: x(-t)."""
    x = sequence(16)
    twice = np.fft.fft(np.fft.fft(x)) / 16
    assert equal(twice, np.roll(x[::-1], 1))
    assert not equal(twice, x)


def test_equation_4_has_the_sine_of_the_inverse():
    """Equation 3 has sin(-ft), equation 4 sin(ft). The transform of real numbers is then mirrored."""
    x, angles = sequence(8).real, 2 * np.pi * np.outer(range(8), range(8)) / 8
    even, odd = np.cos(angles) @ x, np.sin(angles) @ x
    assert not equal(even + 1j * odd, np.fft.fft(x))
    assert equal(even - 1j * odd, np.fft.fft(x))


def test_the_inverse_matrix_has_the_conjugate_root():
    n, x = 8, sequence(8)
    matrix = np.array([[root(-j * k / n) for k in range(n)] for j in range(n)])
    assert not equal(matrix @ (matrix @ x) / n, x)
    assert equal(matrix.conj() @ (matrix @ x) / n, x)


@pytest.mark.parametrize(("sign", "transform"), DIRECTIONS.items())
def test_equations_7_to_9_have_the_sign_of_the_inverse(sign, transform):
    """Printed with +, against equation 5. Equation 7 is the whole sum, 8 and 9 are made of two halves."""
    n, x, k = 8, sequence(8), np.arange(8)
    whole, half = (np.exp(sign * 2j * np.pi * np.outer(range(m), range(m)) / m) for m in (n, n // 2))
    turned = np.exp(sign * 2j * np.pi * k / n)
    in_time = np.tile(half @ x[::2], 2) + turned * np.tile(half @ x[1::2], 2)
    in_frequency = np.stack([half @ (x[:4] + x[4:]), half @ ((x[:4] - x[4:]) * turned[:4])], axis=1).ravel()
    for result in (whole @ x, in_time, in_frequency):
        assert equal(result, transform(x))
    by_k = np.stack([half @ (x[:4] + x[4:]), half @ (x[:4] - x[4:]) * turned[:4]], axis=1).ravel()
    assert not equal(by_k, transform(x))  # section 2.3.2, below equation 9


def test_algorithm_1_overwrites_its_argument():
    """Its result depends on the number of bits alone, also with `return n`. A loop as in C shifts 1 to 0 for ever."""
    for bits, i, n in ((3, 1, 2), (4, 1, 5), (5, 2, 10)):
        assert {printed_bit_reverse(k, bits) for k in range(1 << bits)} == {i}
        assert {printed_bit_reverse(k, bits, returns_n=True) for k in range(1 << bits)} == {n}
    i, passed = 0, []
    while i <= 2 and len(passed) < 9:
        passed.append(i)
        i = (i >> 1) + 1
    assert passed == [0] + [1] * 8
    assert [bit_reverse(i, 3) for i in range(8)] == [0, 4, 2, 6, 1, 5, 3, 7]


def test_algorithm_2_runs_its_loop_once_too_often():
    x = sequence(16)
    with pytest.raises(IndexError):
        decimation_in_time(x, corrected=False)
    assert equal(decimation_in_time(x), np.fft.fft(x))


def test_algorithm_3_is_neither_forward_nor_inverse():
    x = sequence(16)
    printed = decimation_in_frequency(x)
    assert not any(equal(printed, transform(x)) for transform in DIRECTIONS.values())
    assert equal(decimation_in_frequency(x, swapped=False, sign=-1), np.fft.fft(x))


def test_algorithm_4_has_the_stage_for_the_stride_and_returns_the_other_array():
    for n in (8, 16):  # odd and even numbers of stages
        x = sequence(n)
        with pytest.raises(IndexError, match="written"):
            stockham2(x, stride_is_stage=True, all_indices=True, returns_other=True)
        with pytest.raises(IndexError):
            stockham2(x, all_indices=True)
        for literal in ("stride_is_stage", "returns_other"):
            assert not equal(stockham2(x, **{literal: True}), np.fft.fft(x))
        assert equal(stockham2(x), np.fft.fft(x))


def test_algorithm_5_runs_too_far():
    with pytest.raises(IndexError):
        stockham4(sequence(16), all_indices=True)
    for n in (4, 16, 64):
        assert equal(stockham4(sequence(n)), np.fft.fft(sequence(n)))


def test_algorithm_6_has_forward_signs_in_its_second_branch():
    faults = {"odd_sign": FORWARD, "precedence": True, "all_indices": True, "chosen_by_log": True}
    x = sequence(16)
    with pytest.raises(IndexError):
        stockham4(x, INVERSE, **faults)
    for literal in ("odd_sign", "precedence", "chosen_by_log"):
        printed = stockham4(x, INVERSE, **{literal: faults[literal]})
        assert not any(equal(printed, transform(x)) for transform in DIRECTIONS.values())
    with pytest.raises(ValueError, match="shift"):
        stockham4(sequence(64), INVERSE, precedence=True)
    x = sequence(64)  # of three stages the last writes the array that log N chooses
    assert equal(stockham4(x, INVERSE, chosen_by_log=True), np.fft.ifft(x) * 64)
    for n in (4, 16, 64):
        assert equal(stockham4(sequence(n), INVERSE), np.fft.ifft(sequence(n)) * n)  # without the factor 1/N


def test_listing_a1_reads_what_it_has_just_written():
    """Both images have binding 0, so the bit-reversed reads of its first stage see results."""
    x = sequence(16)
    image = x.copy()
    stages_of_a_line((image, image), 0, FORWARD, 2, in_time=True, scale=1)
    assert not equal(image, np.fft.fft(x))
    buffers = x.copy(), np.zeros_like(x)
    stages_of_a_line(buffers, 0, FORWARD, 2, in_time=True, scale=1)
    assert equal(buffers[0], np.fft.fft(x))


@pytest.mark.parametrize(("dropped", "is_right"), [(0, False), (1, True)])
def test_section_5_3_1_drops_the_branch_that_rows_need(dropped, is_right):
    x = sequence(16)
    buffers = x.copy(), np.zeros_like(x)
    stages_of_a_line(buffers, 0, FORWARD, 2, in_time=True, scale=1, reversing=(1 - dropped,))
    assert equal(buffers[0], np.fft.fft(x)) == is_right


PRINTED = "cufftExecC2C(plan, gpu_data_in, gpu_data_out, CUFFT_FORWARD)"
LISTING_B1 = f"""
err = cudaMemcpy(gpu_data_in, data, data_size, cudaMemcpyHostToDevice);
res = {PRINTED};
res = {{}};
err = cudaMemcpy(data, gpu_data_in, data_size, cudaMemcpyDeviceToHost);
"""


@pytest.mark.parametrize(
    ("inverse", "factor"), [(PRINTED, 1), ("cufftExecC2C(plan, gpu_data_out, gpu_data_in, CUFFT_INVERSE)", 64)]
)
def test_listing_b1_copies_its_input_back(inverse, factor):
    """Its calls are Python too, with numpy in place of cuFFT, which does not normalise. With the inverse as printed the
    input is not written, and is the result even where the transform is none."""

    def copy(target, source, *_):
        target[:] = source

    def run(forward):
        ways = {FORWARD: forward, INVERSE: lambda z: np.fft.ifft2(z, norm="forward")}
        names = {"cudaMemcpy": copy, "cufftExecC2C": lambda _, a, b, way: copy(b, ways[way](a)), "data": x.copy()}
        names |= {"gpu_data_in": np.zeros_like(x), "gpu_data_out": np.zeros_like(x), "plan": None, "data_size": 0}
        names |= {"CUFFT_FORWARD": FORWARD, "CUFFT_INVERSE": INVERSE}
        exec(LISTING_B1.format(inverse), names | dict.fromkeys(("cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost")))
        return names["data"]

    x = sequence(8, 8)
    assert equal(run(np.fft.fft2), factor * x)
    assert equal(run(np.zeros_like), x) == (factor == 1)


def test_listing_b1_includes_a_header_that_is_none():
    assert not compiles("#include <stdio>\n")
    assert compiles("#include <cstdio>\n")


@pytest.mark.parametrize(
    "line",
    [
        "surf2Dwrite<float2>(a + complex_mult(w, b), pingpong1, (idx)*sizeof(float2), column);",  # C.1
        "surf2Dwrite<float2>(a - complex_mult(w, b), pingpong1, (idx+shift)*sizeof(float2), column);",
        "surf2Dwrite<float2>(ra * mult_factor, pingpong1, line*sizeof(float2), (q + s*(2*p + 0)));",  # C.2
        "pingpong = LOG_SIZE % 2;",
        "pingpong = HALF_LOG_SIZE % 2;",  # C.3
        "mult_factor = 1.f / (FFT_SIZE*FFT_SIZE);",
    ],
)
def test_lines_of_listings_c1_to_c3_lack_operators_and_sizes(line):
    """In CUDA `float2` is a struct of two floats, as here."""
    operators = "+(float2, float2)", "-(float2, float2)", "*(float2, float)"
    missing = "".join(f"float2 operator{one};\n" for one in operators)
    missing += "constexpr int FFT_SIZE = 256, LOG_SIZE = 8, HALF_LOG_SIZE = 4;\n"
    declared = """
struct float2 { float x, y; };
template<class T> void surf2Dwrite(T, int, int, int);
float2 complex_mult(float2, float2);
float2 a, b, w, ra;
float mult_factor;
int pingpong, pingpong1, idx, shift, column, line, q, s, p;
"""
    function = f"void listing() {{ {line} }}"
    assert not compiles(declared + function)
    assert compiles(declared + missing + function)


def compile_glsl(ctx, head, body=""):
    ctx.compute_shader(f"#version 440\n{head}\nvoid main() {{ {body} }}").release()


def test_loops_of_glsl_may_have_bounds_that_are_not_constant(ctx):
    loop = "for(int stage = 0; stage < log_size; ++stage) { barrier(); }"
    compile_glsl(ctx, "layout (local_size_x = 1) in;\nuniform int log_size;", loop)


@pytest.mark.parametrize("radix", [2, 4])
def test_listings_a5_and_a8_do_not_define_their_number_of_butterflies(ctx, radix):
    printed = f"""
#define FFT_SIZE 256
layout (local_size_x = (FFT_SIZE/{radix})/NUM_BUTTERFLIES, local_size_y = 1) in;
"""
    with pytest.raises(moderngl.Error):
        compile_glsl(ctx, printed)
    compile_glsl(ctx, f"#define NUM_BUTTERFLIES 1\n{printed}")


def test_stores_of_listing_a8_lack_a_parenthesis(ctx):
    head = """
layout (local_size_x = 1) in;
layout (binding = 1, rg32f) uniform image2D pingpong1;
uniform int fft_dir;
vec2 complex_mult(vec2 v0, vec2 v1) {
    return vec2(v0.x * v1.x - v0.y * v1.y,
               v0.x * v1.y + v0.y * v1.x);
}
int line, p, q, s;
float mult_factor;
vec2 w1p, w2p, w3p, apc, amc, bpd, jbmd;
"""
    stores = """
        imageStore(pingpong1, ivec2(line, q + s*(4*p + 1)), vec4(mult_factor
* (complex_mult(w1p, amc + jbmd*fft_dir), 0,0));
        imageStore(pingpong1, ivec2(line, q + s*(4*p + 2)), vec4(mult_factor
* (complex_mult(w2p, apc - bpd ), 0,0));
        imageStore(pingpong1, ivec2(line, q + s*(4*p + 3)), vec4(mult_factor
* (complex_mult(w3p, amc - jbmd*fft_dir), 0,0));
"""
    for store in stores.split(";")[:3]:
        with pytest.raises(moderngl.Error):
            compile_glsl(ctx, head, f"{store};")
    compile_glsl(ctx, head, stores.replace("), 0,0)", ")), 0,0)"))


@pytest.mark.parametrize("stages", [stockham2, stockham4])
def test_listings_a5_and_a8_have_no_loop_over_butterflies(stages):
    """N / R / NUM_BUTTERFLIES invocations do one butterfly each: half of the values are left out if it is 2."""
    x = sequence(64)
    assert equal(stages(x), np.fft.fft(x))
    assert not equal(stages(x, per_invocation=2), np.fft.fft(x))


def test_radix_4_alone_takes_powers_of_four():
    """8 is a multiple of 4 and a power of two. Its half logarithm, rounded down, makes stages of a line of 4."""
    for n in (8, 32):
        assert not equal(stockham4(sequence(n)), np.fft.fft(sequence(n)))


@pytest.mark.parametrize("sign", PLANES)
@pytest.mark.parametrize("n", [8, 16])
def test_listing_c1_is_right(n, sign):
    x = sequence(n, n)
    assert equal(plane(x, sign, 2, in_time=True)[0], PLANES[sign](x))


@pytest.mark.parametrize("sign", PLANES)
@pytest.mark.parametrize("n", [8, 16])
def test_listing_c2_always_reads_buffer_0_in_its_column_pass(n, sign):
    x = sequence(n, n)
    assert not any(equal(one, PLANES[sign](x)) for one in plane(x, sign, 2, in_time=False, one_way=True))
    assert equal(plane(x, sign, 2, in_time=False)[0], PLANES[sign](x))


@pytest.mark.parametrize("n", [4, 16])
def test_listing_c3_is_right_but_ignores_its_direction(n):
    x = sequence(n, n)
    for sign in PLANES:
        printed, _ = plane(x, sign, 4, in_time=False, ignored_direction=True, scaled=False)
        assert equal(printed, np.fft.fft2(x))
    assert equal(plane(x, INVERSE, 4, in_time=False)[0], np.fft.ifft2(x))


# ---- Govindaraju et al. 2008 ----


def expand(index, n1, n2):
    return index // n1 * n1 * n2 + index % n1


def butterfly(values, sign=FORWARD):
    return [sum(v * root(sign * k * m / len(values)) for m, v in enumerate(values)) for k in range(len(values))]


def global_fft(x, radix, printed=(), offset_expanded=False):
    """Figure 2: CPU_FFT, or GPU_FFT with a block of N/R threads for each line of `x`. Stages whose numbers are
    `printed` have the angle of line 21. As printed `expand` gets j, which contains the offset of the line."""
    n, ns = x.shape[-1], 1
    data = x.ravel()
    while ns < n:
        written = np.zeros_like(data)
        for b, t in itertools.product(range(len(data) // n), range(n // radix)):
            j = b * n + t
            angle = -(j * ns if round(math.log(ns, radix)) in printed else j % ns) / (ns * radix)
            values = [data[j + r * n // radix] * root(r * angle) for r in range(radix)]
            place = expand(j, ns, radix) if offset_expanded else b * n + expand(t, ns, radix)
            for r, value in enumerate(butterfly(values)):
                written[place + r * ns] = value
        data, ns = written, ns * radix
    return data.reshape(x.shape)


def exchange(values, write, read):
    """Figure 3: `values[t][r]` of T threads, with `write(t, r)` and `read(t, r)` as the places in shared memory."""
    threads, radix = len(values), len(values[0])
    shared = {}
    for t, r in itertools.product(range(threads), range(radix)):
        shared[write(t, r)] = values[t][r]
    return [[shared.get(read(t, r), 0) for r in range(radix)] for t in range(threads)]


@pytest.mark.parametrize(("n", "radix"), [(16, 2), (16, 4), (27, 3), (4, 2)])
def test_figure_2_takes_the_remainder_of_j_for_its_angle(n, radix):
    """Its angle is j/R of a turn in all stages. In the first one no root is turned."""
    x = sequence(n)
    for printed in (range(9), *([stage] for stage in range(round(math.log(n, radix))))):
        assert not equal(global_fft(x, radix, printed), np.fft.fft(x))
    assert equal(global_fft(x, radix), np.fft.fft(x))
    assert equal(global_fft(x, n, range(9)), np.fft.fft(x))  # one stage, one thread


def test_figure_2_expands_the_offset_of_a_line():
    """GPU_FFT's j = b N + t, b the block of N/R threads. In `expand` that offset grows by R, to the place of line b R,
    which with two lines is the last one's end."""
    lines = sequence(3, 16)
    for printed in ((), range(9)):
        with pytest.raises(IndexError):
            global_fft(lines, 2, printed, offset_expanded=True)
    assert {expand(b * 16 + t, 1, 2) // 16 for b, t in itertools.product([1], range(8))} == {2}
    assert equal(global_fft(lines, 2), np.fft.fft(lines))


DECLARED = """
#include <cmath>
struct float2 { float x, y; };
int expand(int idxL, int N1, int N2);
void FftIteration(int j, int N, int R, int Ns, float2* data0, float2* data1);
void DoFft(float2* v, int R, int N, int j, int stride=1);
void listing(float2* v, float2* data0, float2* data1, int N, int R, int Ns, int j, int t, int strideO)
"""


@pytest.mark.parametrize(
    ("printed", "right"),
    [
        ("FftIteration( j, N, R, Ns, dataC, data1 );", "FftIteration( j, N, R, Ns, data0, data1 );"),  # 2, line 5
        ("for( int r=0, ; r<R; r++ ) {}", "for( int r=0; r<R; r++ ) {}"),  # 3, line 6
        ("for( r=0; r<R; r++ ) {}", "for( int r=0; r<R; r++ ) {}"),  # 3, line 11
        ("Dofft( v, R, N, t );", "DoFft( v, R, N, t );"),  # 4, lines 8 and 12
        ("int idx = expand(t.v, N/R, R);", "int idx = expand(t, N/R, R);"),  # 4, line 10
        (
            "float angle = sign*2*M_PI*(j%Ns)/(Ns*R);",
            "int sign = -1; float angle = sign*2*M_PI*(j%Ns)/(Ns*R);",
        ),  # 4, line 23
        ("if( stride0 == 1 ) {}", "if( strideO == 1 ) {}"),  # 5, line 21
    ],
)
def test_lines_of_figures_2_to_5_do_not_compile(printed, right):
    assert not compiles(f"{DECLARED} {{ {printed} }}")
    assert compiles(f"{DECLARED} {{ {right} }}")


@pytest.mark.parametrize(
    ("printed", "right", "wanted"),
    [
        ("(sign < 1) ? 1 : 1/N", "(sign < 1) ? 1 : 1.0/N", "value == 0.25"),  # figures 4 and 5; below, FFT.cpp
        ("ceilf(x*100)/100", "floorf(x*100 + 0.5f)/100", "value < 0.005f"),
        ("-1", "false", "!value"),
    ],
)
def test_expressions_of_c_have_other_values(printed, right, wanted):
    """The scale of an inverse of four elements, 0.001 rounded to hundredths, and the result for a missing file."""

    def is_wanted(expression):
        names = "constexpr int sign = 1, N = 4; constexpr float x = 0.001f;"
        return compiles(f"#include <cmath>\n{names} constexpr auto value = {expression}; static_assert({wanted});")

    assert not is_wanted(printed)
    assert is_wanted(right)


@pytest.mark.parametrize(
    ("mhz", "bits", "printed", "right"), [(900, 384, 80, True), (970, 256, 59, False), (1150, 512, 137, True)]
)
def test_one_bandwidth_of_figure_7_does_not_follow_from_its_clock(mhz, bits, printed, right):
    assert (round(2 * mhz * 1e6 * bits / 8 / 2**30) == printed) == right


@pytest.mark.parametrize("corrected", [False, True])
def test_figure_3_reads_with_its_increment_as_the_place(corrected):
    """Line 12 has incS for idxS. Without it all threads read the same places."""
    threads, radix = 4, 2
    values = [[t + threads * r for r in range(radix)] for t in range(threads)]
    result = exchange(values, lambda t, r: t + r * threads, lambda t, r: (t if corrected else threads) + r * threads)
    assert (result == values) == corrected


def local_fft(lines, radix, swapped=False, sign=FORWARD, butterfly_sign=None):
    """Figure 4 with more threads than N/R: values move so that a thread holds those of one line, and back."""
    n = lines.shape[1]
    threads, data = n * len(lines) // radix, lines.ravel()
    values = [[data[t + r * threads] for r in range(radix)] for t in range(threads)]

    def plain(t, r):
        return t + r * threads

    def grouped(t, r):
        return expand(t, n // radix, radix) + r * n // radix

    to, back = (grouped, plain) if swapped else (plain, grouped)
    values = exchange(values, to, back)
    ns = 1
    while ns < n:
        for t in range(threads):
            j = t % (n // radix)
            turned = [v * root(sign * r * (j % ns) / (ns * radix)) for r, v in enumerate(values[t])]
            values[t] = butterfly(turned, butterfly_sign or sign)
        values = exchange(values, lambda t, r, ns=ns: expand(t, ns, radix) + r * ns, grouped)
        ns *= radix
    values = exchange(values, back, to)
    result = np.zeros_like(data)
    for t, r in itertools.product(range(threads), range(radix)):
        result[t + r * threads] = values[t][r]
    return result.reshape(lines.shape)


def test_figure_4_offsets_blocks_by_one_line():
    """Line 4 has b N + t. Three blocks of 8 threads with radix 4, each with two lines of 16, share places."""
    n, radix, threads = 16, 4, 8

    def places(offset):
        return {b * offset + t + r * threads for b in range(3) for t in range(threads) for r in range(radix)}

    assert len(places(n)) < 6 * n
    assert places(threads * radix) == set(range(6 * n))


def test_figure_4_swaps_its_two_exchanges():
    lines = sequence(2, 16)
    assert not equal(local_fft(lines, 4, swapped=True), np.fft.fft(lines))
    assert equal(local_fft(lines, 4), np.fft.fft(lines))


@pytest.mark.parametrize("radix", [2, 4])
def test_figure_4_does_not_tell_its_butterflies_the_sign(radix):
    """`FFT<R>( v )` has no sign, so only radix 2, whose roots are real, has an inverse."""
    lines = sequence(2, 16)
    printed = local_fft(lines, radix, sign=INVERSE, butterfly_sign=FORWARD)
    assert equal(printed, np.fft.ifft(lines) * 16) == (radix == 2)
    assert equal(local_fft(lines, radix, sign=INVERSE), np.fft.ifft(lines) * 16)


def test_section_4a_lacks_a_factor_in_its_index():
    """idxD = (t/Ns) R + t mod Ns: the first term needs Ns too, or values of several threads share a place."""
    n, radix, ns = 16, 2, 4
    threads = range(n // radix)
    printed = {t // ns * radix + t % ns + r * ns for t in threads for r in range(radix)}
    assert len(printed) < n
    assert {expand(t, ns, radix) + r * ns for t in threads for r in range(radix)} == set(range(n))


@pytest.mark.parametrize(("radix", "ns"), [(2, 1), (2, 2), (2, 4), (2, 8), (4, 1), (4, 4), (8, 1), (8, 8)])
def test_the_padding_of_section_4a_leaves_conflicts_with_radix_8(radix, ns):
    """Banks to which 16 threads write, in line 27 of figure 4: all 16, without conflicts, or fewer."""

    def fewest(run):
        places = ((expand(t, ns, radix) + r * ns for t in range(h, h + 16)) for h in (0, 16, 32) for r in range(radix))
        return min(len({(i + i // run * ns) % 16 for i in some}) for some in places)

    assert fewest(1 << 30) < 16  # not padded
    assert fewest(16) == (8 if radix == ns == 8 else 16)
    assert fewest(max(16, radix * ns)) == 16


NAMES = ("data", "x", "angle", "result")


@pytest.mark.parametrize("corrected", [NAMES, *itertools.combinations(NAMES, 3), ()])
def test_figure_5_does_not_declare_four_names(corrected):
    """Lines 9, 10, 13 and 30 have `data`, `x`, `angle` and `data`."""
    lines = {
        "data": "v[r] = data[idxI + r*incI];",
        "x": "DoFft( x, R, N, t.y, T.x );",
        "angle": "angle = sign*2*M_PI*j/(N*strideI/strideO);",
        "result": "for( int r=0; r<R; r++ ) data[idxO + r*incO] = v[r];",
    }
    right = {"data": ("data[", "dataI["), "x": ("( x,", "( v,"), "angle": ("angle", "float angle")}
    right["result"] = "data[", "dataO["
    for name in corrected:
        lines[name] = lines[name].replace(*right[name])
    code = f"""
#include <cmath>
struct float2 {{ float x, y; }};
struct {{ int x, y; }} t, T;
void DoFft(float2* v, int R, int N, int j, int stride=1);
template<int R> void
FftShMemCol(int sign, int N, int strideO, float2* dataI, float2* dataO) {{
    float2 v[R];
    int strideI = 1, idxI = 0, incI = 1, idxO = 0, incO = 1, j = 0;
    for( int r=0; r<R; r++ )
    {" ".join(lines.values())}
}}
template void FftShMemCol<2>(int, int, int, float2*, float2*);
"""
    assert compiles(code) == (corrected == NAMES)


def columns_fft(x, n, stride_in, stride_out, columns_apart=True, line_20=True, line_25=True):
    """Figure 5 with radix 2 and blocks of two columns. As printed its columns share places in shared memory (line 10,
    figure 3), line 20 expands the place where a value was read, and line 25 counts blocks by N elements."""
    radix, width, height = 2, 2, n // 2  # R, T.x, T.y
    across, result = stride_in // width, np.zeros_like(x)  # B.x
    increment = height * stride_in
    threads = list(itertools.product(range(height), range(width)))
    for by, bx in itertools.product(range(len(x) // (n * stride_in)), range(across)):
        first = [((by * n + y) * across + bx) * width + column for y, column in threads]
        values = [[x[i + r * increment] for r in range(radix)] for i in first]
        ns = 1
        while ns < n:
            for t, (y, _) in enumerate(threads):
                values[t] = butterfly([v * root(-r * (y % ns) / (ns * radix)) for r, v in enumerate(values[t])])

            def at(t, place, step, r):
                return (place + r * step) * width + threads[t][1] * columns_apart

            values = exchange(
                values,
                lambda t, r, ns=ns: at(t, expand(threads[t][0], ns, radix), ns, r),
                lambda t, r: at(t, expand(threads[t][0], height, radix), height, r),
            )
            ns *= radix
        for t, (y, _) in enumerate(threads if stride_out < stride_in else []):
            turn = first[t] % stride_in // stride_out / (n * stride_in / stride_out)
            values[t] = [v * root(-(y + r * height) * turn) for r, v in enumerate(values[t])]
        step = height * stride_out
        if stride_out == 1:
            values = exchange(
                values,
                lambda t, r: threads[t][1] * n + threads[t][0] + r * height,
                lambda t, r: t + r * height * width,
            )
            step = height * width
        for t, (y, _) in enumerate(threads):
            high, low = divmod(first[t] % stride_in, stride_out)
            inner = expand(first[t] % increment, step, radix) if not line_20 else (high * n + y) * stride_out + low
            place = by * radix * increment + inner
            if stride_out == 1:
                place = (by * across + bx) * n * (width if line_25 else 1) + t
            for r, value in enumerate(values[t]):
                result[place + r * step] = value
    return result


@pytest.mark.parametrize("printed", ["columns_apart", "line_20", "line_25", ""])
def test_figure_5_mixes_columns_blocks_and_dimensions(printed):
    """Three passes over 4 x 4 x 4 elements, in the modified order of section IV.C."""
    x = y = sequence(64)
    for stride_out in (1, 4, 16):
        y = columns_fft(y, 4, 16, stride_out, **({printed: False} if printed else {}))
    assert equal(y, np.fft.fft(x)) == (not printed)


def four_steps(x, alpha, beta, rows_first=False, unit=1j):
    """Section IV.C: alpha transforms of size beta along the columns, roots with an imaginary unit, beta of size alpha
    along the rows of alpha elements, and the transpose. `rows_first` reads "alpha x beta" as alpha rows."""
    y, width = x.copy(), beta if rows_first else alpha
    for column in range(alpha):
        places = column + width * np.arange(beta)
        y[places] = np.fft.fft(y[places])
    i, j = np.divmod(np.arange(len(x)), width)
    y *= np.exp(-2 * np.pi * unit * i * j / len(x))
    for row in range(beta):
        places = width * row + np.arange(alpha)
        y[places] = np.fft.fft(y[places])
    return y.reshape(-1, width).T.ravel()


def test_section_4c_counts_the_columns_of_its_array_first():
    """Count N_alpha as columns, as the later "each row of length N_alpha" does: with N_alpha rows, steps 1 and 3 do not
    fit the array."""
    x = sequence(32)
    for alpha in (4, 8):
        assert equal(four_steps(x, alpha, 32 // alpha), np.fft.fft(x))
    with pytest.raises(IndexError):
        four_steps(x, 4, 8, rows_first=True)
    assert not equal(four_steps(x, 8, 4, rows_first=True), np.fft.fft(x))


def test_section_4c_multiplies_by_roots_on_the_unit_circle():
    """Step 2's factor is printed without i. Then it is no root of unity: the steps do not give the transform."""
    x = sequence(32)
    assert not equal(four_steps(x, 4, 8, unit=1), np.fft.fft(x))
    assert equal(four_steps(x, 4, 8), np.fft.fft(x))


def test_both_orders_of_the_four_steps_give_the_same_result():
    """Rows, then the transpose; or the transpose, then columns (section IV.C)."""
    x = sequence(32)
    i, j = np.mgrid[:4, :8]
    halfway = np.fft.fft(x.reshape(4, 8), axis=0) * np.exp(-2j * np.pi * i * j / 32)
    rows_first = np.fft.fft(halfway, axis=1).T.ravel()
    transposed_first = np.fft.fft(halfway.T, axis=0).ravel()
    assert equal(rows_first, np.fft.fft(x))
    assert equal(transposed_first, np.fft.fft(x))


def fraction(j, n, borrow, signed):
    """Section IV.E: frac(j^2 / 2N) from 32-bit halves. As printed both differences are of unsigned integers."""
    f = np.float32(j) * np.float32(j) / np.float32(2 * n)
    (a_h, a_l), (b_h, b_l) = (divmod(whole, 2**32) for whole in (j * j, 2 * n * math.floor(f)))
    high, low = a_h - b_h - (borrow and a_l < b_l), (a_l - b_l) % 2**32
    return (high if signed else high % 2**32) * (2**32 % (2 * n)) / (2 * n) % 1 + low % (2 * n) / (2 * n)


@pytest.mark.parametrize("n", [1_000_003, 16_777_213, 268_435_399, 1_073_741_789])
def test_section_4e_loses_a_borrow_and_a_sign(n):
    """f is rounded to single precision, so that j^2 may be less than 2N floor(f)."""
    exact = {j: j * j % (2 * n) / (2 * n) for j in map(int, np.random.default_rng(0).integers(0, n, 20_000))}

    def wrong(*corrections):
        return sum(abs((fraction(j, n, *corrections) - e + 0.5) % 1 - 0.5) > 1e-8 for j, e in exact.items())

    assert min(wrong(False, False), wrong(True, False), wrong(False, True)) > 0
    assert wrong(True, True) == 0


# ---- Rao 2019 ----


def test_listing_1_of_rao_is_the_inverse_of_his_equation_3():
    x = sequence(16)
    assert equal(decimation_in_time(x, sign=INVERSE), np.fft.ifft(x) * 16)
    assert not equal(decimation_in_time(x, sign=INVERSE), np.fft.fft(x))


def test_raos_recurrence_has_wrong_powers():
    """Four transforms of every fourth value: the third has the power 2 and the fourth the power 3 of the root."""
    n, x = 16, sequence(16)
    k = np.arange(n)
    w = np.exp(-2j * np.pi * k / n)
    quarters = [np.tile(np.fft.fft(x[i::4]), 4) for i in range(4)]
    printed = quarters[0] + w * (quarters[1] + quarters[2]) + w**2 * quarters[3]
    assert not equal(printed, np.fft.fft(x))
    assert equal(sum(w**i * quarter for i, quarter in enumerate(quarters)), np.fft.fft(x))


# ---- Davis and Dharma ----


def test_the_definition_of_an_interaction_reads_what_it_has_written():
    home, target, w = (complex(value) for value in sequence(3))
    wanted = home - target * w
    result = [home, target]
    result[0] = result[0] + result[1] * w
    result[1] = result[0] - result[1] * w
    assert abs(result[1] - home) < 1e-12 < abs(result[1] - wanted)


def test_fft_cl_needs_a_barrier_between_work_groups():
    """`barrier` joins one work group. If groups run one after the other, as OpenCL allows, stages of the first read
    values that the second has not computed."""

    def run(x, groups):
        y, pairs = x[[bit_reverse(i, log2(len(x))) for i in range(len(x))]].copy(), len(x) // 2
        for group in range(groups):
            threads = np.arange(group * pairs // groups, (group + 1) * pairs // groups)
            stage, roots = 1, pairs
            while stage <= pairs:
                home = stage * 2 * (threads // stage) + threads % stage
                product = y[home + stage] * np.exp(-2j * np.pi * roots * (threads % stage) / len(x))
                y[home], y[home + stage] = y[home] + product, y[home] - product
                stage, roots = stage * 2, roots // 2
        return y

    x = sequence(1024)
    assert equal(run(x, 1), np.fft.fft(x))
    assert not equal(run(x, 2), np.fft.fft(x))
