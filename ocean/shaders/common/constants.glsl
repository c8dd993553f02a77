const float EARTH_RADIUS = 6.371e6;  // m
const float PI = 3.14159265358979;
