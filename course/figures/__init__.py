"""The diagrams, a module for each chapter, drawn with the functions of course/draw.py.

A figure is a function with the name of its image (`claim` draws images/claim.webp), in a module
with the name of its chapter. Its parameters are names of the notebook's variables, as they are at
the diagram's cell, so nothing here seeds or builds a tensor of a chapter. `_` is what the last cell
displayed, as in IPython.
"""
