"""The workload `cpu` of the bench: transforms on the CPU, our own and libraries'."""
