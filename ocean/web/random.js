// ---- Random numbers ------------------------------------------------------------------------------------------------
// Philox 4x64-10 (Salmon et al. 2011), the generator of numpy.random.Philox: equal seeds draw the program's waves.
// Words of 64 bits are four digits of 16 bits, lowest first.

const digits = word => [0n, 16n, 32n, 48n].map(shift => Number(word >> shift & 0xffffn));
const FIRST = digits(0xd2e7470ee14c6c93n), SECOND = digits(0xca5a826395121157n);
const WEYL = [0x9e3779b97f4a7c15n, 0xbb67ae8584caa73bn];  // by which both halves of the key grow

// Writes the product of two words, of four digits each, into the eight digits of `product`.
function multiply(a, b, product) {
    product.fill(0);
    for (let i = 0; i < 4; ++i) {
        let carry = 0;
        for (let j = 0; j < 4; ++j) {
            const sum = a[i] * b[j] + product[i + j] + carry;
            product[i + j] = sum & 0xffff;
            carry = sum >>> 16;
        }
        product[i + 4] = carry;
    }
}

// Calls `take` with each of `count` words of the stream with a 64-bit seed and number (BigInt): low half and high half.
function philox(seed, stream, count, take) {
    const counter = new Uint16Array(16), first = new Uint16Array(8), second = new Uint16Array(8);
    const keys = Array.from({ length: 10 }, (_, round) =>
        [seed, stream].map((word, i) => digits(word + BigInt(round) * WEYL[i])));
    for (let block = 0; 4 * block < count; ++block) {
        counter.fill(0);
        counter.set([(block + 1) & 0xffff, (block + 1) >>> 16]);
        for (const [key, other] of keys) {
            multiply(FIRST, counter.subarray(0, 4), first);
            multiply(SECOND, counter.subarray(8, 12), second);
            for (let i = 0; i < 4; ++i) {
                counter[i] = second[4 + i] ^ counter[4 + i] ^ key[i];
                counter[4 + i] = second[i];
                counter[8 + i] = first[4 + i] ^ counter[12 + i] ^ other[i];
                counter[12 + i] = first[i];
            }
        }
        for (let i = 0; i < 16 && 4 * block + i / 4 < count; i += 4)
            take(counter[i] + 65536 * counter[i + 1], counter[i + 2] + 65536 * counter[i + 3]);
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
