"""Headlight in a notebook: attention models, step by step, with every number.

    import headlight
    run = headlight.run("./minilm", "It was too tired.")
    run["attentions.3"][1]                            # layer 4, head 2, as NumPy array [query x key]
    headlight.analyse("summary", "./minilm", texts=["It was too tired.", "It was too wide."]).table
    headlight.render("./minilm", "It was too tired.", view="heads", layer=4, head=2, width="3.3in")
    headlight.show(outputs, tokenizer)                # attention of another program, as a picture in the cell

The program computes; this package only calls it. Needs the standard library, and NumPy for arrays. Options of a command are
named arguments: `--font-size 8pt` is `font_size="8pt"`, `--json` is `json=True`, what may be repeated is a list.
"""
from .calls import Analysis, HeadlightError, Picture, Run, analyse, command, main, png, program, render, run, svg
from .stored import open_window, show

try:
    from .version import VERSION as __version__
except ImportError:  # not in the sources
    __version__ = "sources"

__all__ = ["Analysis", "HeadlightError", "Picture", "Run", "analyse", "command", "main", "open_window", "png", "program",
           "render", "run", "show", "svg"]
