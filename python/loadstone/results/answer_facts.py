"""Which bodies the answers of an operation had, in the engine's summary."""

from loadstone.frozen import Frozen


class AnswerFacts(Frozen):
    """The bodies of one operation's ok answers, as they came over the wire."""

    compared: int
    """Answers that were looked at."""
    usual: int
    """Answers with the body that most of them had."""
    usual_bytes: int
    """Bytes of that body."""
    others_as_long: int
    """Answers with another body of that length."""
    kinds: int
    """Different bodies, of which 16 are told apart."""

    @property
    def others(self) -> int:
        """Answers with another body than the usual one."""
        return self.compared - self.usual
