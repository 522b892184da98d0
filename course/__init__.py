"""The course, for its maintainers: run a module as `python -m course.<name>`."""
