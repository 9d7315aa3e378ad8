"""Facts to decisions: what may happen now, what a session is told, when something happens by itself. Pure; refuses to act.

- ``gate``         one tool call, one verdict, from the checks of the others;
- ``permissions``  what a role may use, run and write;
- ``delegations``  to whom work may be handed on, and how deep;
- ``tasks``        what the task at hand allows;
- ``chains``       what has to be there before a command;
- ``first_tools``  what comes first in a turn;
- ``sessions``     what becomes of a session, on what ``detection`` notices;
- ``automation``   what happens by itself; ``stalls``: what goes round in circles;
- ``shell``        what a command line would do;
- ``calls``        what a tool call is about;
- ``profiles``     roles that agents' own profiles describe;
- ``rules``        the tables under ``queries/governance``, which all of these apply.
"""
