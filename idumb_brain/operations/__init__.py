"""The verbs, one typed function each. Every surface is made of them; only here the clock and the environment are read.

Each returns the ``data`` of the command of its name as JSON-ready values, in the shape others rely on:

- ``project``          which project a question is about, its settings and its clock;
- ``scanning``         ``init``, ``scan``, and a ``Workspace`` for those who live long;
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
- ``brain``            ``brain write``, ``show``, ``list``, ``link``, ``supersede``, ``validate``, ``stale``, ``purge``, ``tree``,
                       ``history``, ``update``, on ``stated`` (what is given is checked), ``evidence`` (what it rests on) and
                       ``entries`` (how others read it);
- ``recalling``        ``brain query``, and what is known about files, for those who choose what to tell;
- ``learning``         ``brain learn``: from the scan, from git, from decision anchors and finished tasks;
- ``anchors``          ``anchor add``, ``list``, ``update``, ``remove``;
- ``exchange``         ``export``, ``import``, on ``imported`` (our files), ``earlier`` (those of earlier versions) and ``merging``;
- ``entities``         ``related``, the entity graph while its stores are open, and where a question starts from;
- ``context``          ``context compaction``, ``system``, ``prefix``, ``resume``, ``reminder``, and a ``Teller`` for those who live
                       long; made of ``gathering`` (who fills which section), ``at_work`` (what is being done), ``near_task``
                       (what has to do with it), ``remembered`` and ``indexed`` (what need not be read again);
- ``messages``         tool outputs of work that is over, taken out of a conversation;
- ``searching``        ``query``, and a ``Searcher`` for those who live long;
- ``plans``, ``tasks``, ``delegations``, ``artifacts``  the verbs of work, on ``work``: the brain open for it;
- ``gate``             ``gate``: the decision for one tool call or command, on what ``ground`` tells (rules, mode, brain, clock);
- ``sessions``         what sessions tell of themselves and what follows;
- ``records``          ``session list``, ``show``, ``gc``, ``halts``, ``resume-halt``: what is kept of them;
- ``shell``            ``shell check``, ``shell run``;
- ``companion``        what an agent's host tells while the agent works, and what the agent is told, on ``lanes`` of its own;
- ``injected``         which blocks were really handed over, kept for whoever asks why;
- ``installing``, ``registering``  ``setup``; ``heartbeat`` tells whether what was set up is alive, ``connected`` whether it would start;
- ``viewing``          the data of each view of the page, made of the others by ``viewing_code``, ``viewing_memory``, ``viewing_work``;
- ``status``           ``status``: all of it on one screen; ``agents`` tells which hosts are set up and were heard of.

Nothing is imported here: a command loads the verbs it needs.
"""
