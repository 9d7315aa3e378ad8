"""Which of everything known an agent needs now: candidates with their reasons, ranked, and filled into a hard budget. Pure."""
