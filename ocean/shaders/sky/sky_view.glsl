// Layers of the table of the clear sky. Each place has two: light by molecules and of higher orders, and single light by
// aerosols without its phase.
const int SKY_OF_EYE = 0, SKY_OF_SEA = 2;
