#define SIN_3 Real(0.866025403784438647lf)  // sin(2 pi / 3)

void dft3(inout Element a, inout Element b, inout Element c) {
    Element sum = b + c;
    Element odd = turn(SIN_3 * (b - c));
    Element even = a - 0.5 * sum;
    a += sum;
    b = even + odd;
    c = even - odd;
}

void dft(inout Element x[3]) { dft3(x[0], x[1], x[2]); }
