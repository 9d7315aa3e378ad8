"""The verbs, one typed function each. Every surface is made of them; only here the clock and the environment are read.

Each returns the ``data`` of the command of its name as JSON-ready values, in the shape others rely on:

- ``project``          which project a question is about, its settings and its clock;
- ``scanning``         ``init``, ``scan``, ``status``, and a ``Workspace`` for those who live long;
- ``watching``         ``watch``, and a ``Watcher`` for servers;
- ``keeping``          a ``Keeper`` for agents' sessions: scan at the start, after every write, drift every so many;
- ``mapping``          ``map``: the whole project at a glance, made of the others;
- ``stack``            ``scan frameworks``;
- ``documents``        ``scan documents``, governance;
- ``dependencies``     ``codemap packages``;
- ``drift``            ``scan drift``, ``codemap diff``, on what ``changes`` finds;
- ``history``          churn and owners;
- ``todos``            ``codemap todos``;
- ``codemap``          ``codemap show``, ``outline``, ``graph``, ``impact`` and their like;
- ``inconsistencies``  ``codemap inconsistencies``;
- ``word_index``       keeps the search store equal to the index and the history;
- ``searching``        ``query``, and a ``Searcher`` for those who ask often.

Nothing is imported here: a command loads the verbs it needs.
"""
