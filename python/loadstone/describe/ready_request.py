"""What the start-up clock may ask, where only requests with secrets are known."""

from loadstone.describe.model import MadeRequest

NO_CREDENTIALS = 401
"""What a caller without credentials usually gets (RFC 9110, section 15.5.2)."""


def without_secrets(request: MadeRequest) -> MadeRequest:
    """A request as a caller without credentials would begin with, and the answer that is likely."""
    path, _, query = request.path.partition("?")
    kept = "&".join(pair for pair in query.split("&") if pair and "{{" not in pair)
    plain = "/".join("" if "{{" in segment else segment for segment in path.split("/"))
    return MadeRequest(
        name=request.name,
        method="get",
        path=f"{plain}?{kept}" if kept else plain,
        status=NO_CREDENTIALS,
        said="without credentials, which are not known here: correct the status if it is another one",
    )
