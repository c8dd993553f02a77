"""Tools for authors, outside the wheel: papers, peers of the bench, drawings, tables and the site."""
