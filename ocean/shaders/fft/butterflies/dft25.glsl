#include "fft/butterflies/dft5.glsl"

// e^{direction 2 pi i k / 25}, k a product of two numbers from 1 to 4.
#define ROOT_25_1 directed(Root(0.968583161128631119lf, 0.248689887164854788lf))
#define ROOT_25_2 directed(Root(0.876306680043863587lf, 0.481753674101715275lf))
#define ROOT_25_3 directed(Root(0.728968627421411523lf, 0.684547105928688674lf))
#define ROOT_25_4 directed(Root(0.535826794978996618lf, 0.844327925502015079lf))
#define ROOT_25_6 directed(Root(0.0627905195293133761lf, 0.998026728428271562lf))
#define ROOT_25_8 directed(Root(-0.425779291565072649lf, 0.904827052466019528lf))
#define ROOT_25_9 directed(Root(-0.637423989748689710lf, 0.770513242775789231lf))
#define ROOT_25_12 directed(Root(-0.992114701314477831lf, 0.125333233564304245lf))
#define ROOT_25_16 directed(Root(-0.637423989748689710lf, -0.770513242775789231lf))

// Five by five: transforms of the columns, inner roots, transforms of the rows, transpose.
void dft(inout Element x[25]) {
    dft5(x[0], x[5], x[10], x[15], x[20]);
    dft5(x[1], x[6], x[11], x[16], x[21]);
    dft5(x[2], x[7], x[12], x[17], x[22]);
    dft5(x[3], x[8], x[13], x[18], x[23]);
    dft5(x[4], x[9], x[14], x[19], x[24]);
    x[6] = cmul(x[6], ROOT_25_1);
    x[7] = cmul(x[7], ROOT_25_2);
    x[8] = cmul(x[8], ROOT_25_3);
    x[9] = cmul(x[9], ROOT_25_4);
    x[11] = cmul(x[11], ROOT_25_2);
    x[12] = cmul(x[12], ROOT_25_4);
    x[13] = cmul(x[13], ROOT_25_6);
    x[14] = cmul(x[14], ROOT_25_8);
    x[16] = cmul(x[16], ROOT_25_3);
    x[17] = cmul(x[17], ROOT_25_6);
    x[18] = cmul(x[18], ROOT_25_9);
    x[19] = cmul(x[19], ROOT_25_12);
    x[21] = cmul(x[21], ROOT_25_4);
    x[22] = cmul(x[22], ROOT_25_8);
    x[23] = cmul(x[23], ROOT_25_12);
    x[24] = cmul(x[24], ROOT_25_16);
    dft5(x[0], x[1], x[2], x[3], x[4]);
    dft5(x[5], x[6], x[7], x[8], x[9]);
    dft5(x[10], x[11], x[12], x[13], x[14]);
    dft5(x[15], x[16], x[17], x[18], x[19]);
    dft5(x[20], x[21], x[22], x[23], x[24]);
    swap(x[1], x[5]);
    swap(x[2], x[10]);
    swap(x[3], x[15]);
    swap(x[4], x[20]);
    swap(x[7], x[11]);
    swap(x[8], x[16]);
    swap(x[9], x[21]);
    swap(x[13], x[17]);
    swap(x[14], x[22]);
    swap(x[19], x[23]);
}
