"""The bench: times of every transform on this machine, by workload, beside those of other libraries."""
