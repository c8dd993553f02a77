"""Binding points: the numbers that Python and GLSL must agree on. `shaders/common/bindings.glsl` says the same."""

from enum import IntEnum


class Image(IntEnum):
    """Image units of compute shaders."""

    FRONT = 0  # FFT storage: input and result
    BACK = 1  # FFT storage: the other half of the ping-pong
    AMPLITUDES = 2  # h0(k)
    FOAM = 3  # the foam map that is being written
    DERIVATIVES = 3  # half-float copies of the derivatives, as they are written
    MIP_SOURCE = 0  # the level that the next four are made from
    SKY = 0  # the table of light, or the level of the bloom, that is being written
    CLOUDS = 1  # the clouds' noise in space, as it is made; clouds at one pixel of four
    LIGHT = 2  # the light of the picture, as it is shaded
    PICTURE = 3  # the picture, as it is tone mapped
    MIP_1 = 4
    MIP_2 = 5
    MIP_3 = 6
    MIP_4 = 7


class Storage(IntEnum):
    """Shader storage buffers. OpenGL promises eight, so those that never meet share a number."""

    ROOTS = 0  # roots of unity
    SINK = 1  # results of calibration, probes and the gauge
    PLACES = 2  # where a digit reversal puts each element
    CHIRP = 3  # Bluestein's chirp and its transform
    FRONT = 4  # FFT storage in buffers: input and result
    BACK = 5  # FFT storage in buffers: the other half of the ping-pong
    PADDED = 6  # lines that Bluestein's transform has made longer
    MIDDLE = 4  # what lies between the axes of a fused transform
    STEPS = 6  # loop steps n(k)
    AMPLITUDES = 7  # h0(k)
    POINTS = 4  # world positions that a query asks for
    SURFACE = 5  # and what it found there
    POSE = 6  # where the buoy floats, as it is found
    SQUARES = 4  # of the mesh, that are drawn
    DRAWS = 5  # how many of each level
    GROUPS = 6  # how many work groups draw them
    VERTICES = 5  # their vertices, displaced
    SEEN = 0  # the triangle that each sample of a picture shows
    RECORDS = 3  # what of that is shaded
    SHADING = 7  # and how much
    BUOY_VERTICES = 1
    BUOY_TRIANGLES = 2
    VIEW = 4  # the view block, where the waves lift the eye
    LIGHT = 7  # sums over the sky, and the exposure, while they are written


class Block(IntEnum):
    """Uniform buffers."""

    CASCADES = 0
    VIEW = 1
    FOAM = 2
    ROOTS = 3  # roots of unity
    POSE = 4  # where the buoy floats, as the drawing reads it
    MESH = 5  # levels of the surface's mesh
    SKY = 6  # air, sun, clouds and exposure as they are chosen
    LIGHT = 7  # sums over the sky, and the exposure
    SAMPLES = 8  # where the samples of a picture lie


class Sampler(IntEnum):
    """Texture units."""

    MAPS = 0  # displacement and derivatives, two layers a cascade
    FOAM = 1  # the foam map as the last step left it
    DRAW = 2  # the random draw xi(k)
    VARIANCE_FROM = 3  # Psi dk² where a blend starts
    VARIANCE_TO = 4  # and where it ends
    STEPS = 5  # loop steps n(k)
    SLOPES = 6  # slope variance beyond a wave number
    HDR = 7  # the picture before tone mapping
    INTERFACE = 8  # the textures of Dear ImGui
    ROOTS = 9  # roots of unity
    RATES = 10  # time derivative of the displacement, one layer a cascade
    TRANSMITTANCE = 11  # of the air, from a height to its end
    MULTIPLE = 12  # light scattered more than once
    SKY_VIEW = 13  # the clear sky from the eye's height
    AERIAL = 14  # the air between the eye and the sea
    ENVIRONMENT = 15  # the sky as the water reflects it, with mip levels
    CLOUDS = 16  # the clouds' noise
    PANORAMA = 17  # a picture for a sky
    BLOOM = 18  # a level of the bloom's pyramid
    SHADOW = 19  # share of the sun's light that passes the clouds
    STAGE = 20  # values of a stage of the frame
    PALETTE = 21  # and their colours
    LEGEND = 22  # and what they mean
    FOAM_PATTERNS = 23  # the pattern of foam
    DERIVATIVES = 24  # the maps again, or half-float copies of their derivatives
    PLACES = 25  # where each pixel of the sea lies, by the hardware's raster
    BILLOWS = 26  # the clouds' noise in space
