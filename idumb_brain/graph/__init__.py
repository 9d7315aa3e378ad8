"""Answers questions about the facts; decides nothing and stores nothing."""
