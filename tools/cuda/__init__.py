"""Libraries and kernels in CUDA on the same GPU, through CuPy, which the bench measures beside the backends.

CuPy and pyvkfft are imported where they are used; where they are missing, the bench says so and goes on.
"""
