"""The commands, one module an area: its words, and one function each that turns them into an operation and its result into an answer."""
