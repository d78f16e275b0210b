"""Answers as people see them first: the sentences, the matrix of many cases, ranked figures."""
