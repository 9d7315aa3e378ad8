(command name: (command_name (word) @ref.call))
