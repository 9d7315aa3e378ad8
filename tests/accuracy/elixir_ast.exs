# What Elixir's own parser sees defined in the files named on standard input, one line of fields parted by tabs for each:
# file, line, kind, name. A line with the kind "error" tells of a file that cannot be parsed.
#
# Clauses of one function are one definition, on the line of the first. Names that a macro computes are none.

defmodule Definitions do
  @functions [:def, :defp, :defdelegate]
  @macros [:defmacro, :defmacrop, :defguard, :defguardp]
  @tests [:test, :describe, :property, :feature]

  def of(ast), do: ast |> walk({[], nil}, []) |> Enum.reverse() |> Enum.uniq_by(&elem(&1, 0)) |> Enum.map(&elem(&1, 1))

  # Every definition goes with what makes it one and the same: its place, kind, name and number of parameters.
  defp walk({kind, meta, [head | rest]} = node, {modules, place} = around, found) when kind in [:defmodule, :defprotocol] do
    case {block(rest), module_name(head)} do
      {nil, _} -> children(node, around, found)
      {_, nil} -> children(node, around, found)
      {body, name} ->
        written = if kind == :defmodule, do: "module", else: "protocol"
        full = Enum.join(modules ++ [name], ".")
        walk(body, {modules ++ [name], {:module, meta[:line]}}, [{{place, meta[:line], name}, {meta[:line], written, full}} | found])
    end
  end

  defp walk({:defimpl, meta, [_ | rest]} = node, {modules, _} = around, found) do
    case block(rest) do
      nil -> children(node, around, found)
      body -> walk(body, {modules, {:impl, meta[:line]}}, found)
    end
  end

  defp walk({kind, meta, [head | rest]} = node, {modules, place} = around, found) when kind in @functions or kind in @macros do
    written = if kind in @functions, do: "function", else: "macro"

    case signature(head) do
      nil ->
        children(node, around, found)

      {name, arity} ->
        here = {{place, written, name, arity}, {meta[:line], written, Atom.to_string(name)}}
        inside = {modules, {:in, place, written, name, arity}}
        walk(rest, inside, walk(head, inside, [here | found]))
    end
  end

  defp walk({kind, meta, [name | rest]} = node, {modules, _} = around, found) when kind in @tests and is_binary(name) do
    case block(rest) do
      nil -> children(node, around, found)
      body -> walk(body, {modules, {:test, meta[:line]}}, found)
    end
  end

  defp walk({:@, meta, [{kind, _, [type]}]}, {_, place}, found) when kind in [:type, :typep, :opaque, :callback, :macrocallback] do
    written = if kind in [:callback, :macrocallback], do: "callback", else: "type"

    case type_name(type) do
      nil -> found
      name -> [{{place, meta[:line], name, written}, {meta[:line], written, Atom.to_string(name)}} | found]
    end
  end

  defp walk({kind, meta, [fields]}, {_, place}, found) when kind in [:defstruct, :defexception] and is_list(fields) do
    Enum.reduce(fields, found, fn
      {name, _}, found when is_atom(name) -> [{{place, meta[:line], :field, name}, {0, "field", Atom.to_string(name)}} | found]
      name, found when is_atom(name) -> [{{place, meta[:line], :field, name}, {0, "field", Atom.to_string(name)}} | found]
      _, found -> found
    end)
  end

  defp walk(node, around, found), do: children(node, around, found)

  defp children({call, _, arguments}, around, found), do: walk(arguments, around, walk(call, around, found))
  defp children({left, right}, around, found), do: walk(right, around, walk(left, around, found))
  defp children(list, around, found) when is_list(list), do: Enum.reduce(list, found, &walk(&1, around, &2))
  defp children(_, _, found), do: found

  defp block(rest) do
    Enum.find_value(rest, fn
      [{:do, body} | _] -> {:__block__, [], [body]}
      _ -> nil
    end)
  end

  defp module_name({:__aliases__, _, parts}) do
    parts = Enum.reject(parts, &match?({:__MODULE__, _, _}, &1))
    if Enum.all?(parts, &is_atom/1), do: Enum.map_join(parts, ".", &Atom.to_string/1)
  end

  defp module_name(_), do: nil

  defp signature({:when, _, [head | _]}), do: signature(head)
  defp signature({:unquote, _, _}), do: nil
  defp signature({name, _, arguments}) when is_atom(name) and is_list(arguments), do: {name, length(arguments)}
  defp signature({name, _, context}) when is_atom(name) and is_atom(context), do: {name, 0}
  defp signature(_), do: nil

  defp type_name({:when, _, [type | _]}), do: type_name(type)
  defp type_name({:"::", _, [{:unquote, _, _} | _]}), do: nil
  defp type_name({:"::", _, [{name, _, _} | _]}) when is_atom(name), do: name
  defp type_name(_), do: nil
end

for path <- IO.stream(:stdio, :line), path = String.trim_trailing(path, "\n"), path != "" do
  case Code.string_to_quoted(File.read!(path), existing_atoms_only: false) do
    {:ok, ast} ->
      for {line, kind, name} <- Definitions.of(ast), do: IO.puts(Enum.join([path, line, kind, name], "\t"))

    {:error, _} ->
      IO.puts(Enum.join([path, 0, "error", ""], "\t"))
  end
end
