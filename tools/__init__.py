"""Tools for authors, outside the wheel: papers, peers of the bench, measurements, pictures, drawings, tables
and the site."""
