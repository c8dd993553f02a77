// Binding points, named once; ocean/gpu/bindings.py says the same and a test holds the two together.

#define IMAGE_FRONT 0
#define IMAGE_BACK 1
#define IMAGE_AMPLITUDES 2
#define IMAGE_FOAM 3
#define IMAGE_MIP_SOURCE 0
#define IMAGE_MIP_1 4
#define IMAGE_MIP_2 5
#define IMAGE_MIP_3 6
#define IMAGE_MIP_4 7

#define STORAGE_ROOTS 0
#define STORAGE_SINK 1
#define STORAGE_PLACES 2
#define STORAGE_CHIRP 3
#define STORAGE_FRONT 4
#define STORAGE_BACK 5
#define STORAGE_PADDED 6
#define STORAGE_POINTS 4
#define STORAGE_SURFACE 5
#define STORAGE_POSE 6
#define STORAGE_SQUARES 4
#define STORAGE_DRAWS 5
#define STORAGE_VIEW 4

#define BLOCK_CASCADES 0
#define BLOCK_VIEW 1
#define BLOCK_FOAM 2
#define BLOCK_ROOTS 3
#define BLOCK_POSE 4
#define BLOCK_MESH 5

#define SAMPLER_MAPS 0
#define SAMPLER_FOAM 1
#define SAMPLER_DRAW 2
#define SAMPLER_VARIANCE_FROM 3
#define SAMPLER_VARIANCE_TO 4
#define SAMPLER_STEPS 5
#define SAMPLER_SLOPES 6
#define SAMPLER_HDR 7
#define SAMPLER_INTERFACE 8
#define SAMPLER_ROOTS 9
#define SAMPLER_RATES 10
