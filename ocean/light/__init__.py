"""Light as numbers: the air in float64, the colour of water, clouds, and panoramas from files. Knows no GPU.

`spectrum` has the light of the sun and the response of the eye, `air` the contents of the air, `clouds` the
transmission of clouds, `seawater` the colour of the water.
"""
