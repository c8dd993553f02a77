#define COS_5_1 Real(0.309016994374947424lf)  // cos(2 pi j / 5)
#define COS_5_2 Real(-0.809016994374947424lf)
#define SIN_5_1 Real(0.951056516295153572lf)
#define SIN_5_2 Real(0.587785252292473129lf)

void dft5(inout Element a, inout Element b, inout Element c, inout Element d, inout Element e) {
    Element be = b + e, cd = c + d, b_e = b - e, c_d = c - d;
    Element even1 = a + COS_5_1 * be + COS_5_2 * cd, odd1 = turn(SIN_5_1 * b_e + SIN_5_2 * c_d);
    Element even2 = a + COS_5_2 * be + COS_5_1 * cd, odd2 = turn(SIN_5_2 * b_e - SIN_5_1 * c_d);
    a += be + cd;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even2 - odd2;
    e = even1 - odd1;
}

void dft(inout Element x[5]) { dft5(x[0], x[1], x[2], x[3], x[4]); }
