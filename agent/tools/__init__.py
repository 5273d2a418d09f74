"""The tools: typed functions over a domain package, each giving Findings with figures and their sources. Reads only."""
