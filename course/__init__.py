"""What maintainers run: notebooks read, run, checked, drawn, stamped and recorded."""
