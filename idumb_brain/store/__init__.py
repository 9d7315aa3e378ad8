"""The only layer that knows SQL. One function per question; callers pass the connection."""
