"""Every kind of the corpus; a kind is found here or it does not count."""

from corpus import (
    asymmetric,
    hanging,
    healthy,
    healthy_studies,
    held_answers,
    imported,
    live,
    live_gateways,
    load_side,
    service_side,
    standing_still,
    summaries,
    surroundings,
    unsteady,
    warming,
    wrong_answers,
)

DEFECTS = (
    *hanging.DEFECTS,
    *summaries.DEFECTS,
    *wrong_answers.DEFECTS,
    *service_side.DEFECTS,
    *standing_still.DEFECTS,
    *held_answers.DEFECTS,
    *load_side.DEFECTS,
    *unsteady.DEFECTS,
    *warming.DEFECTS,
    *surroundings.DEFECTS,
    *asymmetric.DEFECTS,
    *imported.DEFECTS,
    *live.DEFECTS,
    *live_gateways.DEFECTS,
)
CLEAN = (
    *healthy.CLEAN,
    *healthy_studies.CLEAN,
    *standing_still.CLEAN,
    *held_answers.CLEAN,
    *warming.CLEAN,
    *imported.CLEAN,
    *live.CLEAN,
    *live_gateways.CLEAN,
)
