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
    all_bytes: int
    """Bytes of all bodies together."""
    kinds: int
    """Different bodies, of which 16 are told apart."""

    @property
    def others(self) -> int:
        """Answers with another body than the usual one."""
        return self.compared - self.usual

    @property
    def others_mean_bytes(self) -> float:
        """The mean length of those bodies; 0 where there is none."""
        bytes_of_others = self.all_bytes - self.usual * self.usual_bytes
        return bytes_of_others / self.others if self.others else 0.0
