// The table of aerial perspective: layers as those of the sky before its clouds.
const int AERIAL = -1;         // in place of a layer of the sky's table
const float FARTHEST = 250e3;  // m; the horizon of 2 km and of waves behind it is nearer
