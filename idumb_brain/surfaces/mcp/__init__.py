"""``mcp``: the brain for any client of the Model Context Protocol, on stdin and stdout.

- ``server``     the process: what it offers, its answers, its end;
- ``resources``  what can be read by an address;
- ``prompts``    what a person can have said, with what is needed for it;
- ``freshness``  the index, true before it is asked.
"""
