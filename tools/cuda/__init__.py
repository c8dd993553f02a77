"""What CUDA has on the same GPU, through CuPy: libraries and kernels that the bench holds ours against.

CuPy and pyvkfft are imported where they are used; where they are missing, the bench says so and goes on.
"""
