"""Values to text. Pure: the same values give the same text."""
