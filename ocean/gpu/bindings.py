"""Binding points of images, buffers and textures. Shaders include them as `common/bindings.glsl`."""

from enum import IntEnum


class Image(IntEnum):
    """Images. OpenGL guarantees eight units, so images that no program uses together share a number."""

    FRONT = 0  # FFT storage: input and result
    BACK = 1  # FFT storage: second half of the ping-pong
    AMPLITUDES = 2  # h0(k)
    FOAM = 3  # foam map, written
    HALF_MAPS = 3  # half-float copies of the maps, written
    MIP_SOURCE = 0  # mip level, source of the next ones
    SKY = 0  # table of light, or bloom level, written
    CLOUDS = 1  # 3D noise of the clouds, written; cloud map
    CLOUD_BLOCKS = 0  # frame that marched each block of the cloud map
    HDR = 2  # picture before tone mapping, written by shading
    PICTURE = 3  # tone-mapped picture, written
    WAVES_SUM = 4  # amplitudes at the end of a nonlinear step, summed up
    WAVES_STAGE = 5  # amplitudes for the next rates
    LOST = 6  # energy that nonlinear waves lost
    VISCOSITY = 4  # eddy viscosity of breaking waves, written
    PRODUCT = 1  # spectrum of a product of fields
    CARRIED = 4  # surface at displaced water
    MIP_1 = 4
    MIP_2 = 5
    MIP_3 = 6
    MIP_4 = 7


class Storage(IntEnum):
    """Shader storage buffers. OpenGL guarantees eight, so buffers that no program uses together share a number."""

    ROOTS = 0  # roots of unity
    SINK = 1  # results of calibration, probes and the gauge
    PLACES = 2  # table of reversed digits
    CHIRP = 3  # Bluestein's chirp and its transform
    FRONT = 4  # FFT storage in buffers: input and result
    BACK = 5  # FFT storage in buffers: second half of the ping-pong
    PADDED = 6  # padded lines of Bluestein's transform
    MIDDLE = 4  # buffer between the axes of a transform
    STEPS = 6  # loop steps n(k)
    AMPLITUDES = 7  # h0(k)
    POINTS = 4  # world positions of a query
    SURFACE = 5  # results of a query
    POSE = 6  # pose of the buoy, written
    SQUARES = 4  # visible squares of the mesh
    DRAWS = 2  # number of squares per level
    BLOCKS = 6  # blocks of squares, and marks of the visible ones
    VERTICES = 5  # displaced vertices of the mesh
    SEEN = 0  # triangle at each sample of a picture
    PACKED_SAMPLES = 3  # visibility samples to shade
    SHADING = 7  # number of visibility samples to shade
    BUOY = 1  # vertices of the buoy's triangles
    VIEW = 4  # view block, written if waves lift the eye
    LIGHT = 7  # sums over the sky, and exposure, written
    CLOUD_LIST = 1  # texels of the cloud map to march
    SPRAY_COUNT = 2  # numbers of cells with spray, and of pieces
    SPRAY_CELLS = 3  # cells with spray
    SPRAY_PIECES = 5  # pieces of drops in the air
    SPRAY_SUMS = 4  # sums of the spray at each pixel


class Block(IntEnum):
    CASCADES = 0
    VIEW = 1
    FOAM = 2
    ROOTS = 3  # roots of unity
    POSE = 4  # pose of the buoy
    MESH = 5  # levels of the surface's mesh
    SKY = 6  # settings of air, sun, clouds and exposure
    LIGHT = 7  # sums over the sky, and exposure
    SAMPLES = 8  # sample positions within a pixel
    RASTER = 9  # which dispatch of a raster runs
    SPRAY = 10  # lattices and drops of spray


class Sampler(IntEnum):
    MAPS = 0  # displacement and derivatives, two layers per cascade
    FOAM = 1  # foam map of the last step
    DRAW = 2  # random draw xi(k)
    VARIANCE_FROM = 3  # Psi dk² at the start of a blend
    VARIANCE_TO = 4  # Psi dk² at the end of a blend
    STEPS = 5  # loop steps n(k)
    SLOPES = 6  # slope variance beyond a wave number
    HDR = 7  # picture before tone mapping
    INTERFACE = 8  # textures of Dear ImGui
    ROOTS = 9  # roots of unity
    RATES = 10  # time derivative of the displacement, one layer per cascade
    TRANSMITTANCE = 11  # transmittance of the air from a height to its top
    MULTIPLE = 12  # multiply scattered light
    SKY_VIEW = 13  # clear sky from the eye's height
    AERIAL = 14  # aerial perspective: air between eye and sea
    ENVIRONMENT = 15  # sky for reflections, with mip levels
    CLOUDS = 16  # 2D noise of the clouds
    PANORAMA = 17  # picture that replaces the sky
    BLOOM = 18  # level of the bloom pyramid
    SHADOW = 19  # transmittance of the clouds for sunlight
    DEBUG_VALUES = 20  # values of a debug view
    PALETTE = 21  # colours of a debug view
    LEGEND = 22  # legend of a debug view
    FOAM_PATTERNS = 23  # patterns of foam
    FILTERED = 24  # maps, or half-float copies of them
    VISIBILITY = 25  # visibility sample of each pixel, by the hardware's raster
    BILLOWS = 26  # 3D noise of the clouds
    ORDERS = 27  # fields of each order of nonlinear waves, up to five textures
    WAVES_BEFORE = 32  # amplitudes of nonlinear waves at the last step
    WAVES_AFTER = 33  # amplitudes of nonlinear waves at the next step
    LOOP_STEPS = 34  # loop steps of nonlinear waves
    CARRIED = 35  # surface at displaced water
    CLOUD_MAP = 36  # cloud map: light, and transmittance
    CLOUD_BLOCKS = 37  # frame that marched each block of the cloud map
    STRAINS = 38  # strains of nonlinear waves
    VISCOSITY = 39  # eddy viscosity of breaking waves


GLSL = "\n".join(
    f"#define {kind.__name__.upper()}_{name} {number:d}"
    for kind in (Image, Storage, Block, Sampler)
    for name, number in kind.__members__.items()
)
"""The include: a define for each binding point, such as IMAGE_FRONT."""
