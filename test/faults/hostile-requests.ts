import fc from "fast-check";
import { facetParameter, heavyQuery, heavySuggestion } from "./hostile-queries.js";
import { barelyEncode, LARGE, OFFENDERS, percentEncode } from "./offenders.js";

/** One request of the fuzz test. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isSigned: boolean;
}

const { constantFrom, oneof, tuple, array, boolean } = fc;

/** Pieces of the query language in any order, words, offenders, and whatever Unicode has. */
const piece = oneof(
  { weight: 3, arbitrary: constantFrom(...OFFENDERS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0xd700, max: 0xe100 }), { maxLength: 8 })
      .map((units) => String.fromCharCode(...units)),
  },
  {
    weight: 3,
    arbitrary: constantFrom("title:", "ph:", "created:", "[1 TO 2]", "{* TO 5]", ">=", "<10 nM", "AND", "OR", "NOT"),
  },
  {
    weight: 3,
    arbitrary: constantFrom(
      "(",
      ")",
      '"',
      "lysozyme",
      "coli",
      "a*",
      "b?c",
      "organism.within:",
      "results:(",
      "~2",
      "^3",
    ),
  },
);
export const hostileText = oneof(
  { weight: 4, arbitrary: constantFrom(...OFFENDERS) },
  { weight: 6, arbitrary: array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(" ")) },
  { weight: 3, arbitrary: array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join("")) },
);
const encoded = tuple(hostileText, boolean()).map(([text, isCareful]) =>
  isCareful ? percentEncode(text) : barelyEncode(text).replaceAll("#", "%23"),
);
const inPath = hostileText.map((text) => percentEncode(text.slice(0, 600)));

const SEARCHES = ["/api/search/", "/api/records/mst/", "/api/user/search/", "/api/user/records/mst", "/api/records/"];
const VOCABULARIES = ["organisms", "chemicals", "grants", "languages", "affiliations", "body_fluids"];
const searchPath = oneof(
  constantFrom(...SEARCHES),
  constantFrom(...VOCABULARIES).map((name) => `/api/vocabularies/${name}`),
);
const NAMES = ["q", "l", "p", "s", "page", "size", "sort", "suggest", "cursor", "lang", "ids", "facet_size", "facets"];
const MORE_NAMES = [
  "instrument",
  "organism",
  "rank",
  "state",
  "is_draft",
  "parent",
  "ancestor",
  "expand",
  "allversions",
];

const get = (path: string, isSigned: boolean): HostileRequest => ({ method: "GET", path, isSigned });

const queries = tuple(searchPath, constantFrom("q", "q", "q", "suggest"), encoded, boolean()).map(
  ([path, name, value, isSigned]) => get(`${path}?${name}=${value}`.slice(0, 60_000), isSigned),
);

const parameter = tuple(
  oneof(
    { weight: 8, arbitrary: constantFrom(...NAMES, ...MORE_NAMES) },
    { weight: 1, arbitrary: hostileText.map((text) => percentEncode(text.slice(0, 100))) },
  ),
  oneof(
    encoded,
    constantFrom("1", "0", "-1", "10", "1001", "10001", "1e9", "99999999999999999999", "", "*", "newest", "title"),
  ),
).map(([name, value]) => `${name}=${value}`);
const parameters = tuple(searchPath, array(parameter, { minLength: 1, maxLength: 5 }), boolean()).map(
  ([path, all, isSigned]) => get(`${path}?${all.join("&")}`.slice(0, 60_000), isSigned),
);

/** Queries that are nearly right, with all that an answer may hold beside its hits. */
const heavy = tuple(
  searchPath,
  oneof(
    { weight: 5, arbitrary: heavyQuery.map((text) => ["q", text] as const) },
    { weight: 1, arbitrary: heavySuggestion.map((text) => ["suggest", text] as const) },
  ),
  array(facetParameter, { maxLength: 4 }),
  constantFrom("", "&highlight=true", "&highlight=true&s=100", "&highlight=yes", "&sort=oldest", "&sort=newest&s=1000"),
  boolean(),
).map(([path, asked, facets, more, isSigned]) => {
  const all = [asked, ...facets].map(([name, value]) => `${name}=${percentEncode(value)}`);
  return get(`${path}?${all.join("&")}${more}`.slice(0, 60_000), isSigned);
});

const ids = tuple(
  oneof(
    inPath.map((id) => `/api/records/mst/${id}`),
    inPath.map((id) => `/api/records/mst/${id}/draft`),
    inPath.map((id) => `/api/records/${id}`),
    inPath.map((id) => `/api/records/${id}/`),
    inPath.map((id) => `/api/user/records/${id}/`),
    inPath.map((id) => `/api/vocabularies/${id}`),
    tuple(constantFrom(...VOCABULARIES), inPath).map(([name, id]) => `/api/vocabularies/${name}/${id}`),
    hostileText.map((text) => `/${barelyEncode(text).replaceAll("#", "")}`.slice(0, 60_000)),
  ),
  constantFrom("GET", "GET", "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"),
).map(
  ([path, method]): HostileRequest => ({ method, path, isSigned: true, ...(method === "PUT" ? { text: "{}" } : {}) }),
);

/** JSON of any shape, hostile keys and values included; sometimes no JSON at all. */
const json = fc.json({ maxDepth: 6, stringUnit: "binary" });
const metadata = fc.letrec((tie) => ({
  value: oneof(
    { maxDepth: 5 },
    hostileText,
    constantFrom(null, true, 0, -1, 1e308, -0, 2 ** 53 + 2, "", [], {}),
    array(tie("value"), { maxLength: 4 }),
    array(
      tuple(
        oneof(constantFrom("id", "title", "@v", "general_parameters", "results", "__proto__"), hostileText),
        tie("value"),
      ),
      {
        maxLength: 5,
      },
    ).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const GENERAL = [
  "record_information",
  "depositors",
  "funding_references",
  "instrument",
  "entities_of_interest",
  "results",
];
const bodies = oneof(
  json,
  hostileText,
  metadata.map((value) => JSON.stringify({ metadata: value })),
  tuple(constantFrom(...GENERAL), metadata).map(([name, value]) =>
    JSON.stringify({ metadata: { general_parameters: { [name]: value } } }),
  ),
  hostileText.map((text) => JSON.stringify({ metadata: { general_parameters: { instrument: { id: text } } } })),
  hostileText.map((text) =>
    JSON.stringify({ metadata: { general_parameters: { funding_references: [{ id: text }, text] } } }),
  ),
  constantFrom(1, 63, 64, 65, 5_000).map((n) => `{"metadata":${"[".repeat(n)}${"]".repeat(n)}}`),
  constantFrom(...OFFENDERS).map((text) => JSON.stringify({ [text]: text, metadata: { [text]: [text] } })),
);

/** @param drafts paths of drafts that the signed caller may replace. */
function writes(drafts: readonly string[]): fc.Arbitrary<HostileRequest> {
  const place = oneof(
    constantFrom("/api/records/mst/", "/api/records/bli", "/api/records/itc/").map((path) => ["POST", path] as const),
    constantFrom(...drafts).map((path) => ["PUT", path] as const),
    constantFrom(...drafts).map((path) => ["POST", `${path}/actions/publish`] as const),
  );
  return tuple(place, bodies).map(([[method, path], text]) => ({ method, path, text, isSigned: true }));
}

const headerValue = hostileText.map((text) => text.replaceAll(/[^\t -~\u0080-\u00ff]/g, "").slice(0, 2_000));
const headers = tuple(
  constantFrom("/api/search/", "/api/vocabularies/organisms/taxid:562", "/api/user/search/"),
  constantFrom(
    "authorization",
    "accept",
    "if-match",
    "if-none-match",
    "content-type",
    "host",
    "cookie",
    "origin",
    "range",
  ),
  headerValue,
).map(([path, name, value]): HostileRequest => ({ method: "GET", path, isSigned: false, headers: { [name]: value } }));

const large = tuple(constantFrom(...LARGE), constantFrom("q", "suggest", "instrument", "ids", "x")).map(
  ([text, name]) => get(`/api/search/?${name}=${barelyEncode(text)}`, false),
);

/** All of it, in the shares that they deserve. */
export function hostileRequests(drafts: readonly string[]): fc.Arbitrary<HostileRequest> {
  return oneof(
    { weight: 400, arbitrary: queries },
    { weight: 400, arbitrary: heavy },
    { weight: 200, arbitrary: parameters },
    { weight: 150, arbitrary: ids },
    { weight: 200, arbitrary: writes(drafts) },
    { weight: 50, arbitrary: headers },
    { weight: 2, arbitrary: large },
  );
}
