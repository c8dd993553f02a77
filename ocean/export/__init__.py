"""The sea as files: maps, patches of the world, meshes and pictures, frame by frame. A file is complete or absent.

`plan` describes an export, `maps` lists the maps, `frames` computes them, `registry` lists the formats, `folder`
keeps finished files, and `run` puts them together. To add a format, write its class in a file of this folder and add
its line to `registry.FORMATS`; to add a map, add its entry in `maps`.
"""
