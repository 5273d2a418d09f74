"""Cases, scores and benchmarks: how well it answers, and how fast."""
