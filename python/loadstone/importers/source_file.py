"""Reads a file of text that may be gzip, line by line, whatever its length and whatever is in it."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers.interface import Progress

LONGEST_LINE_BYTES = 1 << 20
"""A row has a URL and an error text at most; beyond this it is no text, and would fill the memory."""
PROGRESS_LINES = 20_000
"""Between two reports of progress: a fraction of a second."""
_GZIP_MAGIC = b"\x1f\x8b"
_BUFFER_BYTES = 1 << 18
_CUT = "the file was cut off, or its tool was stopped while it wrote"


class _Digesting(io.RawIOBase):
    """The bytes of a file, counted and digested as they are read."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self.sha256 = hashlib.sha256()
        self.read_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = self._file.readinto(buffer)
        self.sha256.update(memoryview(buffer)[:count])
        self.read_bytes += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class SourceFile:
    """One pass over the lines of a file; when it is over the digest is that of the whole file."""

    def __init__(self, path: Path, on_progress: Progress) -> None:
        if not path.is_file():
            raise InputError("there is no such file", path=path, remedy="give the file of results")
        self._path = path
        self._on_progress = on_progress
        self._total_bytes = path.stat().st_size
        try:
            self._raw = _Digesting(path)
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror}", path=path, remedy="see who may read it"
            ) from None

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that were read."""
        return self._raw.sha256.hexdigest()

    def lines(self) -> Iterator[str]:
        """Every line with its end. `InputError` with its number for what is no whole line of UTF-8."""
        number = 0
        with self._raw:
            stream = self._stream()
            try:
                while line := stream.readline(LONGEST_LINE_BYTES):
                    number += 1
                    if number % PROGRESS_LINES == 0:
                        self._on_progress(self._raw.read_bytes, self._total_bytes)
                    yield self._text(line, number)
            except (gzip.BadGzipFile, zlib.error, EOFError) as error:
                raise InputError(
                    f"the gzip stream is broken ({error})",
                    path=self._path,
                    line=number + 1,
                    remedy=f"{_CUT}: take what `gzip -dc` gives of it up to its last whole request",
                ) from None
        if not number:
            raise InputError("the file is empty", path=self._path, remedy="give a file of results")

    def _stream(self) -> io.BufferedIOBase:
        plain = io.BufferedReader(self._raw, _BUFFER_BYTES)
        if plain.peek(2)[:2] == _GZIP_MAGIC:
            return io.BufferedReader(gzip.GzipFile(fileobj=plain), _BUFFER_BYTES)
        if self._path.suffix == ".gz":
            raise InputError(
                "is not gzip, although its name ends with .gz",
                path=self._path,
                remedy="take .gz off its name if it is plain text",
            )
        return plain

    def _text(self, line: bytes, number: int) -> str:
        if not line.endswith(b"\n"):
            long = len(line) >= LONGEST_LINE_BYTES
            raise InputError(
                f"the line is longer than {LONGEST_LINE_BYTES:,} bytes"
                if long
                else "the last line is cut",
                path=self._path,
                line=number,
                remedy="give a file of results" if long else f"{_CUT}: take the line out",
            )
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"not UTF-8 ({error.reason})",
                path=self._path,
                line=number,
                remedy="give a file of results, as its tool wrote it",
            ) from None
