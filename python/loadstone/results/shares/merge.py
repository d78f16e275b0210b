"""The files of several engines, each with its share of one load, as those of one engine."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from loadstone.results import folder
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.shares.histogram_log import merged_histograms, write_log
from loadstone.results.shares.summary import merged_summary
from loadstone.results.shares.timeline import merged_timeline, places_of
from loadstone.results.shares.users import merged_users
from loadstone.results.timeline import read_timeline
from loadstone.results.users import read_users
from loadstone.results.write import writing


def merge_shares(
    shares: Sequence[tuple[EngineSummary, Path]], directory: Path, *, started_unix_ns: int
) -> EngineSummary:
    """Write the files of all engines together into a folder, and return their summary.

    Each share comes with the folder of its files, which stay as they are; `started_unix_ns` is when the
    load began by the clock that it is told by. Raises InputError for files that are not an engine's,
    RecordsUnwritable.
    """
    summaries, folders = [each for each, _ in shares], [each for _, each in shares]
    with writing(directory):
        if len(shares) == 1:
            for name in (folder.HISTOGRAMS, folder.TIMELINE, folder.SAMPLES, folder.USERS):
                if (folders[0] / name).is_file():
                    shutil.copyfile(folders[0] / name, directory / name)
            return summaries[0].model_copy(
                update={"started_unix_ns": started_unix_ns, "not_accepted": None}
            )
        timelines = [read_timeline(each / folder.TIMELINE) for each in folders]
        places = places_of(timelines)
        logs = [each / folder.HISTOGRAMS for each in folders]
        histograms = merged_histograms([*zip(logs, places, strict=True)])
        timeline = merged_timeline(timelines, histograms)
        with (directory / folder.HISTOGRAMS).open("w", encoding="ascii") as file:
            spans = [(each.start_ns, each.end_ns) for each in timeline]
            write_log(file, started_unix_ns, spans, histograms)
        lines = "".join(f"{each.model_dump_json()}\n" for each in timeline)
        (directory / folder.TIMELINE).write_text(lines, encoding="utf-8")
        with (directory / folder.SAMPLES).open("wb") as samples:
            for each in folders:
                samples.write((each / folder.SAMPLES).read_bytes())
        told = [read_users(each / folder.USERS) for each in folders]
        users = None
        if all(each is not None for each in told):
            users = merged_users([each for each in told if each is not None])
            (directory / folder.USERS).write_text(users.model_dump_json(), encoding="utf-8")
        return merged_summary(summaries, timeline, users, started_unix_ns=started_unix_ns)
