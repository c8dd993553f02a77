"""Light as numbers: the air and the sky in float64, the colour of water, and panoramas from files. Knows no GPU.

`spectrum` has the light of the sun and the response of the eye, `air` what the air holds, `atmosphere` the tables of
the sky, `clouds` what clouds let through, `seawater` the colour of the water.
"""
