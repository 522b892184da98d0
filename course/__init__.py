"""The course's own rules and tools: what is read, checked and written."""
