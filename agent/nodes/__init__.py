"""The nodes of the graph, by the stage of the turn they belong to. Each returns state; graph.py routes."""
