"""Light as numbers: air, sky, water, exposure and tone curves in float64, and panoramas from files. Knows no GPU.

`spectrum` has what the sun sends and what the eye makes of it, `air` what the air holds, `atmosphere` how the two make
a sky, `reflection` how a rough sea mirrors it, `seawater` what colour the water gives back, `water` what light does
below, `picture` what a camera and a display do with it all.
"""
