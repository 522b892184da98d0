"""The diagrams, a module per chapter, in the words of course/draw.py.

A figure is a function named like its image (`claim` draws images/claim.webp), in the module
named like its chapter. Its parameters are names of the notebook: it is called with what the cells
have made down to the diagram's own cell, so nothing here seeds or builds a tensor of a chapter.
`_` is what the last cell displayed, as in IPython.
"""
