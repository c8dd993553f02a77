void dft2(inout Element a, inout Element b) {
    Element difference = a - b;
    a += b;
    b = difference;
}

void dft(inout Element x[2]) { dft2(x[0], x[1]); }
