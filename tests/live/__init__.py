"""The real agents, offline, against a scripted model: what they are sent is the evidence."""
