/** The authorities as their documentation says that they answer, on loopback: one server for all of them. */
import type { ServerResponse } from "node:http";
import { answer, type ScriptedServer, startScripted } from "./scripted-server.js";

export const ROR_ID = "ror:0fake0001";
export const SUCCESSOR_ID = "ror:0fake0002";
export const WITHDRAWN_ID = "ror:0fake0003";
export const GRANT_ID = "oa:corda__h2020::0123456789abcdef0123456789abcdef";
export const COMPOUND_ID = "inchikey:FAKEFAKEFAKEFA-UHFFFAOYSA-N";
export const TAXON_ID = "taxid:990000001";
export const MERGED_ID = "taxid:990000002";

/** What answers a request; absent: as the authority does. */
export type Behaviour = (response: ServerResponse) => void;

export interface FakeAuthorities extends ScriptedServer {
  /** Does one thing with each of the next requests, in turn; then answers as the authorities do. */
  next(...script: Behaviour[]): void;
  /** Does this with all further requests; undefined: answers as the authorities do. */
  always(behaviour: Behaviour | undefined): void;
  /** Settings with which a service asks this server. */
  settings(lookup?: string): Readonly<Record<string, string>>;
}

export async function startAuthorities(): Promise<FakeAuthorities> {
  const script: Behaviour[] = [];
  let always: Behaviour | undefined;
  const server = await startScripted((response) => (script.shift() ?? always ?? answerAsDocumented)(response));
  return {
    ...server,
    next: (...more) => void script.push(...more),
    always: (behaviour) => {
      always = behaviour;
    },
    settings: (lookup = "ror,openaire,pubchem,ncbi") => ({
      BINDERY_LOOKUP: lookup,
      BINDERY_LOOKUP_TIMEOUT_MS: "1000",
      BINDERY_LOOKUP_EMAIL: "operator@example.org",
      BINDERY_LOOKUP_ROR_URL: server.url,
      BINDERY_LOOKUP_OPENAIRE_URL: server.url,
      BINDERY_LOOKUP_PUBCHEM_URL: server.url,
      BINDERY_LOOKUP_NCBI_URL: server.url,
    }),
  };
}

/** Answers each API by its paths; anything else is a page of HTML, as from a server that is another one. */
export function answerAsDocumented(response: ServerResponse): void {
  const url = new URL(response.req.url ?? "/", "http://localhost");
  const path = url.pathname.split("/").map(decodeURIComponent);
  const query = Object.fromEntries(url.searchParams);
  const [, first = ""] = path;
  const reply = APIS[first]?.(path, query);
  if (reply !== undefined) reply(response);
  else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
}

type Query = Readonly<Record<string, string>>;
type Reply = (path: readonly string[], query: Query) => Behaviour | undefined;

const organisation = (id: string, name: string, more: object = {}) => ({
  id: `https://ror.org/${id.slice(4)}`,
  names: [
    { value: name, types: ["ror_display", "label"], lang: "en" },
    { value: `${name[0]}I`, types: ["acronym"], lang: null },
  ],
  status: "active",
  types: ["education"],
  established: 1900,
  domains: [],
  links: [],
  locations: [
    { geonames_id: 1, geonames_details: { name: "Springfield", country_name: "Utopia", country_code: "UT" } },
  ],
  external_ids: [{ type: "isni", preferred: null, all: ["0000 0001 0000 0001"] }],
  relationships: [],
  admin: { created: { date: "2024-01-01", schema_version: "2.0" } },
  ...more,
});

const ORGANISATIONS = [
  organisation(ROR_ID, "Live Institute"),
  organisation(SUCCESSOR_ID, "Successor Institute"),
  organisation(WITHDRAWN_ID, "Former Institute", {
    status: "withdrawn",
    relationships: [
      { type: "successor", id: `https://ror.org/${SUCCESSOR_ID.slice(4)}`, label: "Successor Institute" },
    ],
  }),
];

const ror: Reply = ([, , what, id], { query, page = "1" }) => {
  if (what !== "organizations") return undefined;
  if (id !== undefined) {
    const found = ORGANISATIONS.find((each) => each.id === `https://ror.org/${id}`);
    return found === undefined ? answer(404, { errors: [`ROR ID '${id}' does not exist`] }) : answer(200, found);
  }
  const word = (query ?? "").toLowerCase();
  const items = ORGANISATIONS.filter(({ names }) => names[0]!.value.toLowerCase().includes(word));
  const shown = page === "1" ? items : [];
  return answer(200, { number_of_results: items.length, time_taken: 3, items: shown, meta: {} });
};

const PROJECT = {
  id: GRANT_ID.slice(3),
  code: "101000001",
  acronym: "LIVE",
  title: "Looking things up",
  fundings: [{ shortName: "EC", name: "European Commission", jurisdiction: "EU", fundingStream: { id: "EC::H2020" } }],
};

const openaire: Reply = (path, { id, search = "" }) => {
  if (path.slice(2).join("/") !== "v1/projects") return undefined;
  const isFound = id === undefined ? PROJECT.title.toLowerCase().includes(search.toLowerCase()) : id === PROJECT.id;
  const results = isFound ? [PROJECT] : [];
  return answer(200, {
    header: { numFound: results.length, maxScore: 1, queryTime: 4, page: 1, pageSize: 20 },
    results,
  });
};

const COMPOUND = {
  CID: 99000001,
  MolecularFormula: "C2H6O",
  MolecularWeight: "46.07",
  SMILES: "CCO",
  InChI: "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3",
  InChIKey: COMPOUND_ID.slice("inchikey:".length),
  IUPACName: "liveanol",
  Title: "Live spirit",
};

const pubchem: Reply = ([, , , , namespace, value, ...rest]) => {
  if (rest[0] !== "property" || rest[2] !== "JSON") return undefined;
  const known: Readonly<Record<string, string>> = { inchikey: COMPOUND.InChIKey, cid: "99000001", name: "live spirit" };
  if (known[namespace ?? ""]?.toLowerCase() === value?.toLowerCase()) {
    return answer(200, {
      PropertyTable: { Properties: [COMPOUND, { ...COMPOUND, CID: 99000002, Title: "Same key" }] },
    });
  }
  return answer(404, { Fault: { Code: "PUGREST.NotFound", Message: "No CID found", Details: ["No CID found"] } });
};

const TAXA: Readonly<Record<string, object>> = {
  "990000001": {
    ...{ uid: "990000001", status: "active", rank: "species", division: "bacteria", scientificname: "Vivus viridis" },
    ...{ commonname: "green liver", taxid: 990000001, akataxid: "", genus: "Vivus", species: "viridis", subsp: "" },
  },
  "990000002": {
    ...{ uid: "990000002", status: "merged", rank: "", division: "", scientificname: "", commonname: "" },
    ...{ taxid: 990000002, akataxid: 990000001, genus: "", species: "", subsp: "" },
  },
};

const ncbi: Reply = ([, , , tool], { id = "", term = "", db, retmode }) => {
  if (db !== "taxonomy" || retmode !== "json") return undefined;
  if (tool === "esummary.fcgi") {
    const uids = id.split(",");
    const result = uids.map((uid) => [uid, TAXA[uid] ?? { uid, error: "cannot get document summary" }] as const);
    return answer(200, { header: { type: "esummary" }, result: { uids, ...Object.fromEntries(result) } });
  }
  const idlist = "vivus viridis".includes(term.toLowerCase()) ? ["990000001"] : [];
  const found = { count: String(idlist.length), retmax: String(idlist.length), retstart: "0", idlist };
  return answer(200, { header: { type: "esearch" }, esearchresult: found });
};

const APIS: Readonly<Record<string, Reply>> = { v2: ror, graph: openaire, rest: pubchem, entrez: ncbi };
