"""Modules that Elixir code may name without any package declaring them. Data, no behaviour."""

from __future__ import annotations

# How the names of all modules start that come with Elixir, its tools included.
ELIXIR = frozenset(
    """
    Access Agent Application ArgumentError ArithmeticError Atom BadArityError BadBooleanError BadFunctionError BadMapError
    BadStructError Base Behaviour Bitwise Calendar CaseClauseError Code Collectable CompileError CondClauseError Config Date
    DateTime Dict Duration DynamicSupervisor EEx Enum Enumerable ErlangError ExUnit Exception File Float Function
    FunctionClauseError GenEvent GenServer HashDict HashSet IEx IO Inspect Integer JSON Kernel KeyError Keyword List Logger Macro
    Map MapSet MatchError MismatchedDelimiterError Mix Module NaiveDateTime Node OptionParser PartitionSupervisor Path Port Process
    Protocol Range Record Regex Registry RuntimeError Set Stream String StringIO Supervisor SyntaxError System SystemLimitError
    Task Time TokenMissingError TryClauseError Tuple URI UndefinedFunctionError UnicodeConversionError Version WithClauseError
    """.split()  # noqa: SIM905 - names to read, not quotes
)

# Modules of Erlang/OTP that programs call.
ERLANG = frozenset(
    """
    application array asn1ct asn1rt_nif atomics auth base64 beam_lib binary c calendar code compile counters cover cprof crypto
    ct dbg dets dialyzer dict digraph digraph_utils disk_log edlin epp eprof erl_anno erl_ddll erl_eval erl_internal erl_lint
    erl_parse erl_pp erl_scan erl_tar erlang erpc error_handler error_logger escript ets eunit file filelib filename fprof ftp
    gb_sets gb_trees gen gen_event gen_fsm gen_sctp gen_server gen_statem gen_tcp gen_udp global global_group heart httpc httpd
    inet inet_db inet_parse inet_res inets init instrument io io_lib json lcnt leex lists logger logger_formatter logger_std_h maps
    math memsup merl mnesia ms_transform net net_adm net_kernel observer opentelemetry_stdlib orddict ordsets os os_mon peer
    persistent_term pg pg2 pool proc_lib proplists prim_file public_key qlc queue rand random re rpc runtime_tools sasl seq_trace
    sets shell snmp socket sofs ssh ssl string supervisor supervisor_bridge sys sys_core_fold sys_pre_attributes syntax_tools
    systools tftp timer trace unicode unicode_util uri_string user user_drv wx xmerl xmerl_scan xmerl_xpath yecc zip zlib
    cpu_sup disksup alarm_handler release_handler pubkey_cert shell_docs ssl_cipher_format erl_prim_loader scheduler msacc
    """.split()  # noqa: SIM905 - names to read, not quotes
)

# Modules whose package is not the one their name starts with.
PACKAGES = {
    "Ecto.Adapters": "ecto_sql",
    "Ecto.Migration": "ecto_sql",
    "Ecto.Migrator": "ecto_sql",
    "ExUnitProperties": "stream_data",
    "Phoenix.Component": "phoenix_live_view",
    "Phoenix.LiveComponent": "phoenix_live_view",
    "Phoenix.Tracker": "phoenix_pubsub",
}
