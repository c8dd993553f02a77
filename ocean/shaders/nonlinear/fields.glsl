// Fields of an order m on the grid, four real fields per layer, or two if there are no more. Order 0: the strains of linear
// waves (xx, xz, zz), the sum of each wave's water speed over its phase speed. Order 1: the surface, the
// gradient of the potential and the slope, (eta, psi_x, psi_z, eta_x, eta_z), and the vertical derivatives 1 to ORDER of psi
// at still water. A higher order m: the vertical derivatives 1 to ORDER - m + 1 of its potential.
const int STRAINS = 3, SURFACE_FIELDS = 5;

// Returns the number of fields of order m.
int field_count(int m) { return m == 0 ? STRAINS : m == 1 ? SURFACE_FIELDS + ORDER : ORDER - m + 1; }

// Returns the number of the n-th vertical derivative among the fields of order m.
int derivative(int m, int n) { return (m == 1 ? SURFACE_FIELDS : 0) + n - 1; }
