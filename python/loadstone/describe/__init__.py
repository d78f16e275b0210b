"""A project described for the lab, by its OpenAPI document, a recording or a URL: the files of a
system, a stack, its sessions, its checks and a study.

`openapi_requests`, `har_requests` and `url_request` say what is asked; `starts` says how the service
is started; `*_text` write the files, and `write` puts them in place, all or none. Nothing here is asked
of a service but one GET of a URL.
"""
