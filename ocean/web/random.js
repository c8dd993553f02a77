// ---- Random numbers ------------------------------------------------------------------------------------------------
// Philox 4x64-10 (Salmon et al. 2011), the generator of numpy.random.Philox, in halves of 32 bits: equal seeds draw equal
// waves here and in the program.

// Returns the high half of a product of two 32-bit numbers; Math.imul has the low half.
function highProduct(a, b) {
    const a0 = a & 0xffff, a1 = a >>> 16, b0 = b & 0xffff, b1 = b >>> 16;
    const middle = a1 * b0 + ((a0 * b0) >>> 16), carried = (middle & 0xffff) + a0 * b1;
    return a1 * b1 + (middle >>> 16) + (carried >>> 16);
}

// Writes the 128-bit product of the 64-bit numbers (high, low) `a` and `b` into `product`, lowest word first.
function multiply(aHigh, aLow, bHigh, bLow, product) {
    const p1 = highProduct(aLow, bLow) + (Math.imul(aLow, bHigh) >>> 0) + (Math.imul(aHigh, bLow) >>> 0);
    const p2 = (Math.imul(aHigh, bHigh) >>> 0) + highProduct(aLow, bHigh) + highProduct(aHigh, bLow)
        + Math.floor(p1 / 2 ** 32);
    product[0] = Math.imul(aLow, bLow);
    product[1] = p1 >>> 0;
    product[2] = p2 >>> 0;
    product[3] = highProduct(aHigh, bHigh) + Math.floor(p2 / 2 ** 32);
}

// Returns `count` words of 64 bits of the stream with a 64-bit seed and number (BigInt): low halves and high halves.
function philox(seed, stream, count) {
    const low = new Uint32Array(count + 3), high = new Uint32Array(count + 3);
    const c = new Uint32Array(8), key = new Uint32Array(4), first = new Uint32Array(4), second = new Uint32Array(4);
    for (let block = 0; 4 * block < count; ++block) {
        key.set([seed, stream].flatMap(word => [Number(word & 0xffffffffn), Number(word >> 32n)]));
        c.fill(0);
        c[0] = block + 1;
        for (let round = 0; round < 10; ++round) {
            multiply(0xd2e7470e, 0xe14c6c93, c[1], c[0], first);
            multiply(0xca5a8263, 0x95121157, c[5], c[4], second);
            c[0] = second[2] ^ c[2] ^ key[0];
            c[1] = second[3] ^ c[3] ^ key[1];
            c[2] = second[0];
            c[3] = second[1];
            c[4] = first[2] ^ c[6] ^ key[2];
            c[5] = first[3] ^ c[7] ^ key[3];
            c[6] = first[0];
            c[7] = first[1];
            addTo(key, 0, 0x9e3779b9, 0x7f4a7c15);
            addTo(key, 2, 0xbb67ae85, 0x84caa73b);
        }
        for (let i = 0; i < 4; ++i) {
            low[4 * block + i] = c[2 * i];
            high[4 * block + i] = c[2 * i + 1];
        }
    }
    return { low, high };
}

// Adds a 64-bit number to the words `at` and `at` + 1.
function addTo(words, at, high, low) {
    const sum = words[at] + low;
    words[at] = sum;
    words[at + 1] += high + (sum > 0xffffffff ? 1 : 0);
}

// Returns the random factors (xr + i xi) / 2 of a cascade's wave vectors, xr and xi normal, as [nx, nz, real, imaginary, ...]
// for the square shells max(|nx|, |nz|) = 1 ... `shells` (`draw` of ocean/waves/amplitudes.py, with its single precision).
function drawFactors(seed, stream, shells) {
    const f = Math.fround, count = (2 * shells + 1) ** 2 - 1, { low, high } = philox(seed, stream, count);
    const factors = new Float32Array(4 * count), turn = f(2 * Math.PI * 2 ** -32);
    let i = 0;
    const put = (nx, nz) => {
        const uniform = f(f(low[i]) + 0.5) * 2 ** -32, angle = f(f(high[i]) * turn);
        const length = f(Math.sqrt(f(-0.5 * f(Math.log(uniform)))));
        factors.set([nx, nz, length * f(Math.cos(angle)), length * f(Math.sin(angle))], 4 * i++);
    };
    for (let r = 1; r <= shells; ++r) {
        for (const nz of [-r, r]) for (let nx = -r; nx <= r; ++nx) put(nx, nz);
        for (const nx of [-r, r]) for (let nz = 1 - r; nz < r; ++nz) put(nx, nz);
    }
    return factors;
}
