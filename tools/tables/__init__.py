"""Tables and figures of README and docs, made from benches."""
