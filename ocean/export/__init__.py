"""The sea as files: maps, textures, meshes, pictures and waves, frame by frame. A file is complete or absent.

`plan` describes an export, `maps` lists the maps, `sources` computes frames, `formats` lists the formats, and `run`
puts them together. To add a format, write its class in a file of `formats` and add its line to `formats.FORMATS`; to
add a map, add its entry in `maps`.
"""
