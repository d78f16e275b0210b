"""What runtimes tell of their garbage collectors: a parser for each format, and the reading of them."""
