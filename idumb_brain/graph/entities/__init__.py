"""One graph over all that a project consists of, asked for node by node. Never holds the whole of it, decides nothing.

``walk`` goes along links and knows no kind of node. What links there are is told by sources, one module a kind of fact: ``code``,
``uses``, ``documents``, ``history``. A new kind is a function from nodes to links, a row where the graph is put together,
and a row in ``model.entities.RELATIONS`` for every relation it brings.
"""

from idumb_brain.graph.entities.walk import Graph, Source, distance, distances, near, traverse

__all__ = ["Graph", "Source", "distance", "distances", "near", "traverse"]
