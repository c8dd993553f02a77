const float FARTHEST = 250e3;  // m: of the table of aerial perspective; the horizon of 2 km and of waves behind it is nearer
