/** Terms as linked data, read by libraries of other people. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Parser, type Quad } from "n3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";

/** It has no types of its own. */
const jsonld = createRequire(import.meta.url)("jsonld") as {
  toRDF(document: object, options: object): Promise<string>;
};

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const TAXA = `${PUBLIC_URL}/vocabularies/organisms`;
const NASTY = 'A "quoted" <b>name</b> \\ with signs, \u{1F9EC} and @en';

let server: InProcessServer;

const get = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const write = async (method: "POST" | "PUT", url: string, payload: object) => {
  const token = await server.token("kate", { role: "curator", scopes: ["vocabularies:write"] });
  const answer = await server.app.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
};

beforeAll(async () => {
  server = await startInProcess();
  await write("POST", "/api/vocabularies/organisms", {
    id: "taxid:900000001",
    title: { en: "Nova prima", cs: "Nová první" },
    parent: "taxid:562",
    synonyms: [
      { name: NASTY, kind: "synonym" },
      { name: "Neue Erste", kind: "common name", lang: "de" },
      { name: "Nova prima", kind: "synonym" },
    ],
  });
  await write("POST", "/api/vocabularies/organisms", {
    id: "taxid:900000002",
    title: { en: "Nova secunda" },
    status: "deprecated",
    replaced_by: "taxid:900000001",
  });
});
afterAll(() => server.close());

/** A statement as text, so that sets of them can be compared. */
const textOf = ({ subject, predicate, object }: Quad): string => {
  const { value } = object;
  const [lang, type] = object.termType === "Literal" ? [object.language, object.datatype.value] : ["", "resource"];
  return JSON.stringify([subject.value, predicate.value, value, lang, type]);
};
const fromTurtle = (text: string): readonly string[] => new Parser({ format: "text/turtle" }).parse(text).map(textOf);

/** Never asks the network: the context stands in the document. */
const documentLoader = () => Promise.reject(new Error("A document names another one."));
const fromJsonLd = async (text: string): Promise<readonly string[]> => {
  const nquads = await jsonld.toRDF(JSON.parse(text), { format: "application/n-quads", documentLoader });
  return new Parser({ format: "application/n-quads" }).parse(nquads).map(textOf);
};

const said = (statements: readonly string[], subject: string, property: string): readonly string[][] =>
  statements.map((each) => JSON.parse(each)).filter(([s, p]) => s === subject && p === property);

describe("a term as SKOS", () => {
  const url = "/api/vocabularies/organisms/taxid:900000001";
  const iri = `${TAXA}/taxid:900000001`;

  it("says all that SKOS has words for, in Turtle", async () => {
    const { body, headers } = await get(`${url}?format=turtle`);
    expect(headers["content-type"]).toBe("text/turtle; charset=utf-8");
    const statements = fromTurtle(body);
    const objects = (property: string) => said(statements, iri, SKOS + property).map(([, , value]) => value);
    expect(said(statements, iri, `${SKOS}prefLabel`).map(([, , value, lang]) => [lang, value])).toEqual([
      ["en", "Nova prima"],
      ["cs", "Nová první"],
    ]);
    expect(said(statements, iri, `${SKOS}altLabel`).map(([, , value, lang]) => [lang, value])).toEqual([
      ["", NASTY],
      ["de", "Neue Erste"],
    ]);
    expect(objects("notation")).toEqual(["taxid:900000001"]);
    expect(objects("broader")).toEqual([`${TAXA}/taxid:562`]);
    expect(objects("inScheme")).toEqual([TAXA]);
    expect(objects("topConceptOf")).toEqual([]);
    expect(objects("exactMatch")).toEqual([expect.stringContaining("900000001")]);
  });

  it("names its successor", async () => {
    const { headers } = await get("/api/vocabularies/organisms/taxid:900000002?format=turtle");
    expect(headers.location).toBe(`${PUBLIC_URL}${url}?format=turtle`);
    const { body } = await get("/api/vocabularies/organisms?q=id:taxid\\:900000002&format=turtle");
    const old = `${TAXA}/taxid:900000002`;
    const statements = fromTurtle(body);
    expect(said(statements, old, "http://purl.org/dc/terms/isReplacedBy").map(([, , value]) => value)).toEqual([iri]);
    expect(said(statements, old, "http://www.w3.org/2002/07/owl#deprecated")).toEqual([
      [old, "http://www.w3.org/2002/07/owl#deprecated", "true", "", "http://www.w3.org/2001/XMLSchema#boolean"],
    ]);
  });

  it("says the same in JSON-LD", async () => {
    const turtle = fromTurtle((await get(`${url}?format=turtle`)).body);
    const { body, headers } = await get(url, { accept: "application/ld+json" });
    expect(headers["content-type"]).toContain("application/ld+json");
    expect([...(await fromJsonLd(body))].sort()).toEqual([...turtle].sort());
  });

  it("is negotiated, and tagged by its content", async () => {
    const first = await get(url, { accept: "text/turtle" });
    expect(first.headers.vary).toContain("accept");
    const again = await get(url, { accept: "text/turtle", "if-none-match": String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect((await get(url)).headers["content-type"]).toBe("application/json; charset=utf-8");
    expect((await get(url)).headers.vary).toContain("accept");
    expect((await get(`${url}?format=xml`)).statusCode).toBe(400);
    const page = await get(url.slice("/api".length), { accept: "text/turtle" });
    expect([page.statusCode, page.headers.location]).toEqual([303, expect.stringContaining("api/vocabularies/")]);
  });
});

describe("a vocabulary as SKOS", () => {
  it("is one document of all of its terms, the same in both formats", async () => {
    const { hits } = (await get("/api/vocabularies/organisms?size=1")).json();
    const turtle = await get("/api/vocabularies/organisms", { accept: "text/turtle" });
    expect(turtle.headers["content-disposition"]).toBe('attachment; filename="organisms.ttl"');
    const statements = fromTurtle(turtle.body);
    const inScheme = statements.filter((each) => JSON.parse(each)[1] === `${SKOS}inScheme`);
    expect(inScheme).toHaveLength(hits.total);
    expect(said(statements, TAXA, "http://purl.org/dc/terms/title").map(([, , value]) => value)).toEqual(["Organisms"]);
    const { body } = await get("/api/vocabularies/organisms?format=jsonld");
    expect([...(await fromJsonLd(body))].sort()).toEqual([...statements].sort());
  });

  it("is that of a search, also of one that finds nothing", async () => {
    const found = fromTurtle((await get("/api/vocabularies/organisms?q=nova+prima&format=turtle")).body);
    expect(found.filter((each) => JSON.parse(each)[1] === `${SKOS}inScheme`)).toHaveLength(1);
    for (const format of ["turtle", "jsonld"]) {
      const { body } = await get(`/api/vocabularies/organisms?q=qqqq&format=${format}`);
      const statements = format === "turtle" ? fromTurtle(body) : await fromJsonLd(body);
      expect(said(statements, TAXA, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")).toHaveLength(1);
    }
  });

  it("has no table", async () => {
    expect((await get("/api/vocabularies/organisms?format=turtle&fields=id")).json()).toMatchObject({
      errors: [{ field: "fields" }],
    });
  });
});

it("is exported as NDJSON so that it can be imported again without a change", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bindery-export-"));
  try {
    const { hits } = (await get("/api/vocabularies")).json().hits as { hits: { id: string; count: number }[] };
    for (const { id: vocabulary, count } of hits) {
      const file = join(folder, `${vocabulary}.ndjson`);
      const exported = (await get(`/api/vocabularies/${vocabulary}?format=ndjson`)).body;
      writeFileSync(file, exported);
      const load = { vocabulary, file, skipRefused: false, mode: "replace" as const };
      expect(await server.services.importTerms(load), vocabulary).toMatchObject({ unchanged: count, refused: [] });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
