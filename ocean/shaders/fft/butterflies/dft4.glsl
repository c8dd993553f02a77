void dft4(inout Element a, inout Element b, inout Element c, inout Element d) {
    Element ac = a + c, bd = b + d;
    Element a_c = a - c, b_d = turn(b - d);
    a = ac + bd;
    b = a_c + b_d;
    c = ac - bd;
    d = a_c - b_d;
}

void dft(inout Element x[4]) { dft4(x[0], x[1], x[2], x[3]); }
