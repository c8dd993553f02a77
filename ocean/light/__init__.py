"""Light as numbers, in float64. Knows no GPU.

`water` has what happens to light under water and at its surface.
"""
