"""Tables of Markdown pages, as tests read them."""


def cells(row: str) -> list[str]:
    """The texts of a row's cells; none may hold a bar."""
    return [cell.strip() for cell in row.strip("|").split("|")]
