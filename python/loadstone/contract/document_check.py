"""Answers sampled under load, held against what an OpenAPI document says of them."""

from loadstone.contract.faults import NotHeld
from loadstone.contract.model import Sample, SampleCheck
from loadstone.openapi.answers import AnswerSchemas, NotJudged
from loadstone.openapi.document import Document

CLAUSE = "openapi"
"""What failures begin with."""


def document_check(document: Document) -> SampleCheck:
    """The check that every answer is what a document says of its operation; of each operation the first
    answer that is not stands for all.
    """
    schemas = AnswerSchemas(document)

    def hold(sample: Sample) -> None:
        if coding := _only(sample, "content-encoding"):
            raise NotHeld(f"its body is coded: {coding}")
        operation = sample.operation
        try:
            misfit = schemas.misfit(
                operation.method,
                operation.path,
                sample.status,
                _only(sample, "content-type"),
                None if sample.truncated else sample.body,
            )
        except NotJudged as error:
            raise NotHeld(error.message) from error
        if misfit is not None:
            raise AssertionError(f"{operation.method} {operation.path} {sample.status}: {misfit}")

    return SampleCheck(CLAUSE, f"answers fit {document.path.name}", None, hold, one_for_all=True)


def _only(sample: Sample, name: str) -> str | None:
    return next((value for field, value in sample.headers if field.lower() == name), None)
