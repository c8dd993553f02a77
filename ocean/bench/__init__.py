"""The bench: times of every transform on this machine, by workload, beside other libraries."""
