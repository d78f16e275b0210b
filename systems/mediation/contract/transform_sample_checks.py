"""What is held of the answers that the engine kept of a load on `transform`."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample

from .lib.json_as_xml import json_as_xml
from .lib.xml_document import begins, difference, read_xml, read_xml_beginning

sample_check = partial(declare.sample_check, operation="transform")


@sample_check("TR-6", "under load, the document is the request's")
def sampled_document(sample: Sample) -> None:
    wanted = json_as_xml(sample.operation.body.encode())
    expect_equal(sample.status, 200, "the status")
    if sample.truncated:
        expect(begins(wanted, read_xml_beginning(sample.body)), "the document begins otherwise")
    else:
        expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")
        gap = difference(read_xml(sample.body), wanted)
        expect(gap is None, f"{gap} in the document")


@sample_check("TR-2", "under load, the content type is the upstream's")
def sampled_content_type(sample: Sample) -> None:
    values = [value for name, value in sample.headers if name.lower() == "content-type"]
    expect_equal(values, ["application/xml"], "Content-Type")
