"""Libraries and kernels in CUDA on the same GPU, through CuPy, which the bench measures next to the backends. CuPy and
pyvkfft are imported at their first use; if they are missing, the bench reports it and goes on."""
