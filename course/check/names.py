"""The names in the Python of a cell; a cell that is no Python has none, for the run reports it."""

import ast
import re
from collections.abc import Iterator
from symtable import SymbolTable, symtable

from nbformat import NotebookNode

SHAPE_COMMENT = re.compile(r"#\s(\((?:[\d_]+, ?)+(?:[\d_]+)?\))")  # of numbers alone


def syntax_nodes(source: str) -> list[ast.AST]:
    """Return the nodes of the syntax tree of some Python; of what is none, nothing."""
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []  # the run reports it


def names_in_code(source: str) -> set[str]:
    """Return the words of the names in some Python: `my_rows` has my and rows."""
    fields = ("id", "arg", "attr", "name")
    names = [getattr(node, field, None) or "" for node in syntax_nodes(source) for field in fields]
    return set(re.findall(r"[A-Za-z]+", " ".join(names)))


def imported_names(cell: NotebookNode) -> list[str]:
    """Return what a code cell imports, `from a import b` as a.b; of one that is no Python, nothing.

    Relative imports are left out: the run reports them.
    """
    nodes = syntax_nodes(cell.source)
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    from_imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return names + [f"{node.module}.{alias.name}" for node in from_imports for alias in node.names]


def assigned_values(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a node assigns to, as they are written, each with the value."""
    if isinstance(node, ast.Assign):
        yield from ((ast.unparse(target), node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value:
        yield ast.unparse(node.target), node.value


def stated_shapes(source: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes that comments state, as in `x = f()  # (4, 5)`, by variable.

    Of several assignments to a variable, the last one counts.
    """
    lines, shapes = source.splitlines(), dict[str, tuple[int, ...]]()
    for node in ast.parse(source).body:
        for name, _ in assigned_values(node):
            shapes.pop(name, None)
            if stated := SHAPE_COMMENT.search(lines[(node.end_lineno or 1) - 1]):
                shapes[name] = ast.literal_eval(stated[1])
    return shapes


class ComprehensionsAsGenerators(ast.NodeTransformer):
    """Turns comprehensions into generators, whose names symtable keeps apart in every Python."""

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the node, or its generator, with its parts turned."""
        if isinstance(node, (ast.ListComp, ast.SetComp)):
            node = ast.GeneratorExp(node.elt, node.generators)
        elif isinstance(node, ast.DictComp):
            pair = ast.Tuple([node.key, node.value], ast.Load())
            node = ast.GeneratorExp(pair, node.generators)
        return self.generic_visit(node)


def symbol_tables(cell: NotebookNode) -> list[SymbolTable]:
    """Return the table of a cell's names, then those of its functions; none if it is no Python."""
    try:
        tree = ComprehensionsAsGenerators().visit(ast.parse(cell.source))
        tables = [symtable(ast.unparse(tree), cell.id, "exec")]
    except SyntaxError:
        return []  # the run reports it
    for table in tables:
        tables += table.get_children()  # which are visited, too
    return tables


def defined_names(cell: NotebookNode) -> set[str]:
    """Return the names that a code cell leaves for others."""
    symbols = [symbol for table in symbol_tables(cell)[:1] for symbol in table.get_symbols()]
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


def assigned_names(cell: NotebookNode) -> set[str]:
    """Return the names that a code cell leaves for others, but for those that it imports."""
    return defined_names(cell) - {
        symbol.get_name()
        for table in symbol_tables(cell)[:1]
        for symbol in table.get_symbols()
        if symbol.is_imported()
    }


def global_names(tables: list[SymbolTable]) -> set[str]:
    """Return the names in some tables that are not local to a function."""
    symbols = [symbol for table in tables for symbol in table.get_symbols()]
    return {symbol.get_name() for symbol in symbols if symbol.is_global()}
