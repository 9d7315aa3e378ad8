"""Facts to decisions, pure: neither clock nor environment nor file is read here, and nothing is changed."""
