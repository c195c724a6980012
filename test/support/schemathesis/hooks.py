"""Makes valid requests of Schemathesis fulfil rules that OpenAPI cannot express.

Each rule has one function, which changes only what breaks it. The rules stand in the
descriptions of the parameters, and the service answers 400 with the rule in words. Requests that are meant to be
invalid stay as they are, but for `validate=only`, and but for objects in a query string, which are left out.
"""

import unicodedata
import urllib.parse

import schemathesis

# Names of the demo store and of the built-in catalog, by what is searched. A store has its own.
RECORD_FACETS = {"any": ("instrument", "year"), "tree": "organism", "histogram": "kd"}
TERM_FACETS = {"any": ("rank",), "tree": None, "histogram": None}
RECORD_ORDERS = ("newest", "oldest", "bestmatch", "kd", "-kd")
VOCABULARY, OTHER_TERM = "organisms", "taxid:9606"
TERM_WRITES = ("createTerm", "replaceTerm", "patchTerm", "mergeTerm")


def operation_id(case):
    return case.operation.definition.raw.get("operationId")


def choose(options, value):
    """Returns one of the options; the same for the same value."""
    return options[len(str(value)) % len(options)]


def is_sent(value):
    """Tells whether a value asks for anything: an empty text and `false` do not."""
    return value not in (None, "", False, [])


def separate_parameters(case, query):
    """`x-not-with` of a parameter names those that it cannot be sent with."""
    for parameter in case.operation.definition.raw.get("parameters", []):
        name, others = parameter.get("name"), parameter.get("x-not-with", [])
        if is_sent(query.get(name)):
            for other in others:
                query.pop(other, None)


def fit_format(query):
    """`style` belongs to `format=citation`, `excel` to CSV, columns to `csv` and `ndjson`, and `matched` to `rows`."""
    if query.get("excel") not in (None, "false") and query.get("format") not in ("csv", "results"):
        query.pop("excel")
    if query.get("rows") in (None, ""):
        query.pop("matched", None)
    if any(name in query for name in ("fields", "rows")) and query.get("format") not in ("csv", "ndjson"):
        query["format"] = "csv"
    if query.get("format") != "citation":
        query.pop("style", None)


def name_from_catalog(query, is_of_terms):
    """Facets, orders and columns have names, which the catalog of the operator declares."""
    facets = TERM_FACETS if is_of_terms else RECORD_FACETS
    if "sort" in query and not is_of_terms and query["sort"] not in RECORD_ORDERS:
        query["sort"] = choose(RECORD_ORDERS, query["sort"])
    if "facets" in query:
        query["facets"] = [choose((*facets["any"], "none"), value) for value in as_list(query["facets"])]
    if is_sent(query.get("facet_text")):
        query["facets"] = [facets["any"][0]]
    if "facet_below" in query:
        if facets["tree"] is None:
            del query["facet_below"]
        elif is_sent(query["facet_below"]):
            query["facets"] = [facets["tree"]]
    if "facet_bins" in query:
        name = facets["histogram"]
        bins = [f"{name}:{1 + len(value)}" for value in map(str, as_list(query["facet_bins"])) if len(value) < 100]
        query["facet_bins"] = bins if name else []
    if "fields" in query:
        query["fields"] = ["title.en" if is_of_terms else choose(("title", "kd"), query["fields"])]
    if "rows" in query:
        query["rows"] = "results"


def as_list(value):
    return value if isinstance(value, list) else [value]


def keep_filters_apart(case, query):
    """A filter has the name of a facet; a name of a declared parameter is that parameter."""
    names = {parameter.get("name") for parameter in case.operation.definition.raw.get("parameters", [])}
    for name in ("filters", "units"):
        if isinstance(query.get(name), dict):
            query[name] = {key: value for key, value in query[name].items() if key not in names}


def begin_reading(query):
    """A cursor is one that the service made, or the beginning."""
    if "cursor" in query:
        query["cursor"] = "*"
    if "since" in query:
        query["since"] = "0"


def stay_in_window(query):
    """The product of page and size has a maximum."""
    page, size = (query.get(long, query.get(short, 1)) for long, short in (("page", "p"), ("size", "s")))
    if isinstance(page, int) and isinstance(size, int) and page * max(size, 10) > 10_000:
        for name in {"page", "p"} & query.keys():
            query[name] = 1


def fit_model(case):
    """`model` of a deposit is the model of the path."""
    body, path = case.body, case.path_parameters or {}
    if isinstance(body, dict) and "model" in path and "model" in body and body["model"] != path["model"]:
        case.body = {**body, "model": path["model"]}


def fit_token(case):
    """A token cannot expire in the past; its name has only characters that fonts draw, and no blank at its ends."""
    if operation_id(case) != "createToken" or not isinstance(case.body, dict):
        return
    body = dict(case.body)
    if "-" in str(body.get("expires", "")):
        body["expires"] = "2099-12-31"
    if "name" in body:
        drawn = [character for character in str(body["name"]) if unicodedata.category(character)[0] != "C"]
        body["name"] = "".join(drawn).strip() or "laptop"
    case.body = body


def fit_vocabulary(case):
    """A term fits the vocabulary of the path: the form of its id, its props, the terms that it refers to, which exist."""
    if operation_id(case) not in TERM_WRITES or not isinstance(case.body, dict):
        return
    case.path_parameters = {**(case.path_parameters or {}), "vocabulary": VOCABULARY}
    body, path_id = dict(case.body), case.path_parameters.get("id")
    if operation_id(case) == "mergeTerm":
        if "into" in body:
            body["into"] = OTHER_TERM
        case.body = body
        return
    if path_id is None:
        number = 1 + sum(map(ord, str(body.get("id", "")))) % 900_000
        body["id"] = f"taxid:{100_000 + number}"
    elif "id" in body:
        body["id"] = urllib.parse.unquote(str(path_id))
    if isinstance(body.get("props"), dict):
        body["props"] = {"rank": "species"} if body["props"] else {}
    if body.get("parent") is not None:
        body["parent"] = OTHER_TERM
    if body.get("replaced_by") is not None:
        body["replaced_by"] = OTHER_TERM
        body["status"] = "deprecated"
    elif body.get("status") == "active" and operation_id(case) == "patchTerm":
        body["replaced_by"] = None
    if "title" in body:
        body["title"] = shown_title(body["title"])
    if isinstance(body.get("synonyms"), list):
        body["synonyms"] = [shown_synonym(synonym) for synonym in body["synonyms"]]
    case.body = body


def shown(text):
    """Returns a text that is not blank: one that fonts draw as nothing is no title."""
    return text if any(unicodedata.category(character)[0] in "LNPS" for character in text) else "Title"


def shown_title(title):
    if not isinstance(title, dict):
        return shown(title)
    return {tag: shown(text) for tag, text in title.items() if text is not None} or {"en": "Title"}


def shown_synonym(synonym):
    if not isinstance(synonym, dict):
        return shown(synonym)
    return {key: value if key == "lang" else shown(value) for key, value in synonym.items()}


def fulfil_rules(case):
    """Changes a valid request until it fulfils all rules."""
    query = dict(case.query or {})
    separate_parameters(case, query)
    name_from_catalog(query, operation_id(case) == "searchTerms")
    fit_format(query)
    keep_filters_apart(case, query)
    begin_reading(query)
    stay_in_window(query)
    if query != (case.query or {}):
        case.query = query
    fit_model(case)
    fit_token(case)
    fit_vocabulary(case)


def is_meant_valid(case):
    return case.meta is None or case.meta.generation.mode.is_positive


@schemathesis.hook
def filter_case(context, case):
    """An object in a query string is any parameters: `filters` and `units` have no invalid value, only other names."""
    return is_meant_valid(case) or case.meta.phase.data.parameter not in ("filters", "units")


@schemathesis.hook
def map_case(context, case):
    if is_meant_valid(case):
        fulfil_rules(case)
    elif operation_id(case) == "createTerm" and (case.query or {}).get("validate") == "only":
        # The answer about an invalid term is 200, with its problems.
        case.query = {name: value for name, value in case.query.items() if name != "validate"}
    return case


@schemathesis.hook
def before_add_examples(context, examples):
    for case in examples:
        fulfil_rules(case)
