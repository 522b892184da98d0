"""Judge what a class has handed in."""
