#define COS_7_1 Real(0.623489801858733531lf)  // cos(2 pi j / 7)
#define COS_7_2 Real(-0.222520933956314404lf)
#define COS_7_3 Real(-0.900968867902419126lf)
#define SIN_7_1 Real(0.781831482468029809lf)
#define SIN_7_2 Real(0.974927912181823607lf)
#define SIN_7_3 Real(0.433883739117558120lf)

void dft7(inout Element a, inout Element b, inout Element c, inout Element d, inout Element e, inout Element f,
          inout Element g) {
    Element bg = b + g, cf = c + f, de = d + e, b_g = b - g, c_f = c - f, d_e = d - e;
    Element even1 = a + COS_7_1 * bg + COS_7_2 * cf + COS_7_3 * de;
    Element even2 = a + COS_7_2 * bg + COS_7_3 * cf + COS_7_1 * de;
    Element even3 = a + COS_7_3 * bg + COS_7_1 * cf + COS_7_2 * de;
    Element odd1 = turn(SIN_7_1 * b_g + SIN_7_2 * c_f + SIN_7_3 * d_e);
    Element odd2 = turn(SIN_7_2 * b_g - SIN_7_3 * c_f - SIN_7_1 * d_e);
    Element odd3 = turn(SIN_7_3 * b_g - SIN_7_1 * c_f + SIN_7_2 * d_e);
    a += bg + cf + de;
    b = even1 + odd1;
    c = even2 + odd2;
    d = even3 + odd3;
    e = even3 - odd3;
    f = even2 - odd2;
    g = even1 - odd1;
}

void dft(inout Element x[7]) { dft7(x[0], x[1], x[2], x[3], x[4], x[5], x[6]); }
