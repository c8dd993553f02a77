// Philox 4x64-10 (Salmon et al. 2011), the generator of numpy.random.Philox: equal seeds draw the program's waves.

const clamp = (x, low, high) => Math.min(Math.max(x, low), high), modulo = (x, n) => (x % n + n) % n;
const FACTORS = [0xd2e7470ee14c6c93n, 0xca5a826395121157n], WEYL = [0x9e3779b97f4a7c15n, 0xbb67ae8584caa73bn];
const LOW = 0xffffffffffffffffn;  // bits of a word

// Calls `take` with each of `count` words of the stream with a 64-bit seed and number (BigInt): low half and high half.
function philox(seed, stream, count, take) {
    const keys = Array.from({ length: 10 }, (_, round) =>
        [seed, stream].map((word, i) => word + BigInt(round) * WEYL[i] & LOW));
    for (let block = 0; 4 * block < count; ++block) {
        let a = BigInt(block + 1), b = 0n, c = 0n, d = 0n;
        for (const [key, other] of keys) {
            const first = FACTORS[0] * a, second = FACTORS[1] * c;
            a = second >> 64n ^ b ^ key;
            b = second & LOW;
            c = first >> 64n ^ d ^ other;
            d = first & LOW;
        }
        for (const word of [a, b, c, d].slice(0, count - 4 * block))
            take(Number(word & 0xffffffffn), Number(word >> 32n));
    }
}

// Returns [nx, nz, real, imaginary, ...] for the wave vectors of square shells max(|nx|, |nz|) = 1 ... `shells`: random
// factors (xr + i xi) / 2, xr and xi normal, as `draw` of ocean/waves/amplitudes.py makes them in single precision.
function drawFactors(seed, stream, shells) {
    const f = Math.fround, count = (2 * shells + 1) ** 2 - 1, factors = new Float32Array(4 * count);
    let i = 0, n = 0;
    const place = (nx, nz) => factors.set([nx, nz], 4 * i++);
    for (let r = 1; r <= shells; ++r) {
        for (const nz of [-r, r]) for (let nx = -r; nx <= r; ++nx) place(nx, nz);
        for (const nx of [-r, r]) for (let nz = 1 - r; nz < r; ++nz) place(nx, nz);
    }
    philox(seed, stream, count, (low, high) => {
        const uniform = f(f(low) + 0.5) * 2 ** -32, angle = f(f(high) * f(2 * Math.PI * 2 ** -32));
        const length = f(Math.sqrt(f(-0.5 * f(Math.log(uniform)))));
        factors.set([length * f(Math.cos(angle)), length * f(Math.sin(angle))], 4 * n++ + 2);
    });
    return factors;
}
