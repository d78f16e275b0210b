"""Reads an HTML file the way the tests ask about it: elements, attributes, and text."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}


class PageReader(HTMLParser):
    """Collects every element with its attributes, and the text outside of `style` and `script`."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.tables_with_caption: list[bool] = []
        self.unbalanced: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "table":
            self.tables_with_caption.append(False)
        if tag == "caption":
            self.tables_with_caption[-1] = True
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        """All text, blanks collapsed."""
        return " ".join(" ".join(self.texts).split())

    def count(self, tag: str) -> int:
        """How many elements of that name there are."""
        return sum(name == tag for name, _ in self.elements)

    def values(self, *attributes: str) -> list[str]:
        """Every value of these attributes."""
        return [
            value
            for _, present in self.elements
            for name, value in present.items()
            if name in attributes and value is not None
        ]
