"""The bench: what each transform costs on this machine, measured workload by workload, beside what others have."""
