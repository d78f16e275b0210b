"""What the start-up clock may ask, where only requests with secrets are known."""

from loadstone.describe.model import MadeRequest


def without_secrets(request: MadeRequest) -> MadeRequest:
    """A request as a caller without credentials would begin with: whether and how that one is refused
    nobody knows.
    """
    path, _, query = request.path.partition("?")
    kept = "&".join(pair for pair in query.split("&") if pair and "{{" not in pair)
    plain = "/".join("" if "{{" in segment else segment for segment in path.split("/"))
    return MadeRequest(
        name=request.name,
        method="get",
        path=f"{plain}?{kept}" if kept else plain,
        any_status=True,
        said="without credentials, which are not known here: any status below 500 will do",
    )
