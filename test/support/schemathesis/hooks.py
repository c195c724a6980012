"""Rules that OpenAPI cannot express: Schemathesis must not call requests valid that break one of them.

Each rule is also in the description of its parameter, and the service answers 400 or 412 with the rule in words.
"""

import schemathesis

# Facets are those of the models or the vocabulary of the path, which the catalog of the operator declares.
OF_THE_CATALOG = ("facets", "facet_text", "facet_below", "facet_bins", "sort", "fields", "rows", "filters")


def is_sent(value):
    """Tells whether a value asks for anything: an empty text and `false` do not."""
    return value not in (None, "", False, "false", "0")


def breaks_not_with(case, query):
    """`x-not-with` of a parameter names those that it cannot be sent with."""
    for parameter in case.operation.definition.raw.get("parameters", []):
        name, others = parameter.get("name"), parameter.get("x-not-with", [])
        if is_sent(query.get(name)) and any(is_sent(query.get(other)) for other in others):
            return True
    return False


def breaks_format(query):
    """`style` belongs to `format=citation`, and columns of tables to the formats of tables."""
    style, format = query.get("style"), query.get("format")
    return style is not None and format != "citation"


def names_catalog(query):
    return any(name in query for name in OF_THE_CATALOG)


def breaks_model(case):
    """`model` of a deposit must be the model of the path."""
    body, path = case.body, case.path_parameters or {}
    return isinstance(body, dict) and "model" in path and "model" in body and body["model"] != path["model"]


def breaks_revision(headers):
    """`If-Match` must name the current revision."""
    return headers.get("If-Match", headers.get("if-match", "*")) != "*"


@schemathesis.hook
def filter_case(context, case):
    query, headers = case.query or {}, case.headers or {}
    return not (
        breaks_not_with(case, query)
        or breaks_format(query)
        or names_catalog(query)
        or breaks_model(case)
        or breaks_revision(headers)
    )
