"""The command line: arguments to operations, answers to JSON or to readable text."""
