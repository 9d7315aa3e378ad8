"""``serve --stdio``: JSON-RPC 2.0, one message a line, for as long as the host lives.

- ``stdio``    the process: its pipes, its end;
- ``protocol`` messages in, answers out, in time;
- ``methods``  what can be asked: hooks, tools, and every command by ``call``;
- ``journal``  the log.
"""
