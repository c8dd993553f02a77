"""Exported displacement on a grid in Blender: run it in its editor, or `blender --python blender_sea.py -- FOLDER`.

    python -m ocean export --set sea.wind.speed=6 --set cascades.count=1 --set cascades.blended=0 --loop 40 \
        --out out/sea

FOLDER is the folder of that export. Frames are read as an image sequence, so a loop plays without end.
"""

import argparse
import json
import sys
from pathlib import Path

is_script = Path(sys.argv[0]).name == Path(__file__).name
own = sys.argv.index("--") + 1 if "--" in sys.argv else 1 if is_script else len(sys.argv)
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", default="out/sea", metavar="FOLDER")
FOLDER = Path(parser.parse_args(sys.argv[own:]).folder).absolute()  # Blender's own arguments come before --

import bpy  # noqa: E402 - only Blender has it

record = json.loads((FOLDER / "export.json").read_text(encoding="utf-8"))
size, frames = record["settings"]["fft"]["size"], record["frames"]
side = record["tiles"][0]["side"]  # m

bpy.ops.mesh.primitive_grid_add(x_subdivisions=size, y_subdivisions=size, size=side)
bpy.ops.object.shade_smooth()
sea = bpy.context.object
material = bpy.data.materials.new("sea")
material.use_nodes = True
material.displacement_method = "DISPLACEMENT"
sea.data.materials.append(material)
nodes, link = material.node_tree.nodes, material.node_tree.links.new
water, out = nodes["Principled BSDF"], nodes["Material Output"]
water.inputs["Base Color"].default_value = (0.0, 0.03, 0.05, 1.0)
water.inputs["Roughness"].default_value = 0.05
water.inputs["IOR"].default_value = 1.34

place = nodes.new("ShaderNodeTexCoord")
mapping = nodes.new("ShaderNodeMapping")  # the centre of a texel is at its position: shift by half a texel
mapping.inputs["Scale"].default_value = (1 / side, 1 / side, 1.0)
mapping.inputs["Location"].default_value = (0.5 / size, -0.5 / size, 0.0)
picture = nodes.new("ShaderNodeTexImage")
picture.image = bpy.data.images.load(str(FOLDER / "cascade0.000000.exr"))
picture.image.source = "SEQUENCE"
picture.image.colorspace_settings.name = "Non-Color"
picture.extension, picture.interpolation = "REPEAT", "Cubic"
user = picture.image_user
user.frame_duration, user.frame_start, user.frame_offset = frames, 1, -1
user.use_cyclic = user.use_auto_refresh = True
parts, vector = nodes.new("ShaderNodeSeparateXYZ"), nodes.new("ShaderNodeCombineXYZ")
north = nodes.new("ShaderNodeMath")  # Blender's y is north, the file's z south
north.operation = "MULTIPLY"
north.inputs[1].default_value = -1.0
displace = nodes.new("ShaderNodeVectorDisplacement")
displace.space = "OBJECT"
displace.inputs["Midlevel"].default_value, displace.inputs["Scale"].default_value = 0.0, 1.0

link(place.outputs["Object"], mapping.inputs["Vector"])
link(mapping.outputs["Vector"], picture.inputs["Vector"])
link(picture.outputs["Color"], parts.inputs[0])
link(parts.outputs[2], north.inputs[0])
link(parts.outputs[0], vector.inputs[0])
link(north.outputs[0], vector.inputs[1])
link(parts.outputs[1], vector.inputs[2])
link(vector.outputs[0], displace.inputs["Vector"])
link(displace.outputs[0], out.inputs["Displacement"])
bpy.context.scene.frame_end = frames
