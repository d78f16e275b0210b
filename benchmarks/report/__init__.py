"""The report measured: what a large study costs to analyse and to render."""
