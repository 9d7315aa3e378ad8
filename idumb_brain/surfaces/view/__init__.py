"""``view``: the page, for one person on this machine.

- ``serving``  the process: where it listens, its address, its end;
- ``app``      who may ask, and how answers travel; every answer is one of ``operations.viewing``;
- ``static``   what the browser loads: an index, a style, a module for each view, and d3-hierarchy, which places circles in circles.
"""
