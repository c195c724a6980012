/** The terms of each vocabulary as a table, which an import reads again. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";

/** An id that no item has, by vocabulary. */
const IDS = {
  affiliations: "ror:0zzzzzz01",
  body_fluids: "cf:900001",
  cell_fractions: "cf:900001",
  chemicals: "inchikey:ZZZZZZZZZZZZZZ-ZZZZZZZZZZ-N",
  environment_types: "env:900001",
  grants: `oa:zz__________::${"0".repeat(32)}`,
  instruments: "ins:900001",
  languages: "qqq",
  organisms: "taxid:900000001",
  products: "prod:900001",
};

/** Props that a table could spoil. */
const PROPS: Readonly<Record<string, object>> = {
  affiliations: { city: "+Brno", types: ["a; b", "[c]"], identifiers: ["007", 7], related: ["-x"] },
  chemicals: {
    chemical_formula: "@C2",
    molecular_weight: { unit: "g/mol" },
    smiles: "[O-]C=O",
    additional_identifiers: [" cas:1 ", ""],
  },
  grants: { funder_name: "'=1", grant_id: "0042" },
  organisms: { rank: "no rank" },
};

const TITLE = '=HYPERLINK("x"),  "quoted"; \u{1F9EC} ';

interface Item {
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
}

let folder: string;
let server: InProcessServer;
let other: InProcessServer;

const table = async (vocabulary: string): Promise<string> =>
  (await server.app.inject({ url: `/api/vocabularies/${vocabulary}?format=csv` })).body;

/** All items, without what a service says of them. */
async function itemsOf({ app }: InProcessServer, vocabulary: string): Promise<readonly unknown[]> {
  const { body } = await app.inject({ url: `/api/vocabularies/${vocabulary}?format=ndjson` });
  const lines = body.split("\n").filter((line) => line !== "");
  return lines.map((text) => {
    const { "@v": _v, created: _c, updated: _u, revision_id: _r, cited_by: _b, links: _l, ...item } = JSON.parse(text);
    return item;
  });
}

/** Imports a table, by the command's own use case. */
async function load(
  { services }: InProcessServer,
  vocabulary: string,
  text: string | Buffer,
  mode: "merge" | "replace",
) {
  const file = join(folder, typeof text === "string" ? `${vocabulary}.csv` : `${vocabulary}.CSV.gz`);
  writeFileSync(file, text);
  return services.importTerms({ vocabulary, file, skipRefused: false, mode });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-tables-"));
  server = await startInProcess();
  other = await startInProcess();
  const token = await server.token("kate", { role: "curator", scopes: ["vocabularies:write"] });
  for (const [vocabulary, id] of Object.entries(IDS)) {
    const item = {
      id,
      title: vocabulary === "languages" ? { cs: TITLE } : { en: TITLE },
      props: PROPS[vocabulary] ?? {},
      ...(vocabulary === "organisms" ? { parent: "taxid:562" } : {}),
      synonyms: [
        { name: "; [-1", kind: "synonym" },
        { name: "jiné", kind: "common name", lang: "cs" },
      ],
    };
    const url = `/api/vocabularies/${vocabulary}`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.app.inject({ method: "POST", url, headers, payload: item })).statusCode).toBe(201);
  }
  const replaced = { status: "deprecated", replaced_by: "ins:1" };
  const headers = { authorization: `Bearer ${token}` };
  const url = "/api/vocabularies/instruments/ins:900001";
  expect((await server.app.inject({ method: "PATCH", url, headers, payload: replaced })).statusCode).toBe(200);
});
afterAll(async () => {
  await Promise.all([server.close(), other.close()]);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(IDS))("the table of %s", (vocabulary) => {
  it("imports again without a change, and makes the same terms elsewhere", async () => {
    const text = await table(vocabulary);
    const all = await itemsOf(server, vocabulary);
    expect(all.map((item) => (item as Item).id)).toContain(IDS[vocabulary as keyof typeof IDS]);
    const nothing = { new: 0, changed: 0, unchanged: all.length, refused: [] };
    expect(await load(server, vocabulary, text, "merge")).toMatchObject(nothing);
    expect(await load(server, vocabulary, gzipSync(text), "replace")).toMatchObject(nothing);
    expect(await load(other, vocabulary, text, "merge")).toMatchObject({ new: 1, changed: 0, refused: [] });
    expect(await itemsOf(other, vocabulary)).toEqual(all);
  });
});

it("knows every vocabulary of the catalog", async () => {
  const { hits } = (await server.app.inject({ url: "/api/vocabularies" })).json().hits;
  expect(hits.map(({ id }: Item) => id).sort()).toEqual(Object.keys(IDS).sort());
});

it("may have any of its columns, in any order, and leaves the other fields as they are", async () => {
  const text = "﻿synonyms,id,@v,title.cs\r\nalpha; beta ,taxid:562,ignored,Střevní\r\n,taxid:561,,\r\n";
  expect(await load(other, "organisms", text, "merge")).toMatchObject({ changed: 1, unchanged: 1, refused: [] });
  const changed = (await itemsOf(other, "organisms")).find((item) => (item as Item).id === "taxid:562");
  expect(changed).toMatchObject({
    title: { en: "Escherichia coli", cs: "Střevní" },
    synonyms: [
      { name: "alpha", kind: "synonym" },
      { name: "beta", kind: "synonym" },
    ],
    parent: { id: "taxid:561" },
    props: { rank: "species" },
  });
});

it("reads the columns of a quantity as tables with fields have them", async () => {
  const id = "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N";
  const fields = "fields=id,molecular_weight";
  const { body } = await server.app.inject({ url: `/api/vocabularies/chemicals?format=csv&q=id:"${id}"&${fields}` });
  expect(body).toContain("id,molecular_weight,molecular_weight_unit");
  expect(await load(server, "chemicals", body, "merge")).toMatchObject({ unchanged: 1, refused: [] });
});

describe("a table that is wrong", () => {
  it.each([
    ["", 1, "the file is empty"],
    ["title\nx\n", 1, 'a column "id" is missing'],
    ["id,titel\n", 1, 'column 2 "titel" is unknown; did you mean "title"?'],
    ["id,wholly_else\n", 1, 'column 2 "wholly_else" is unknown; columns are id, title, '],
    ["id,parent\n", 1, 'column 2 "parent" is unknown'],
    ["id;title\n", 1, 'the columns are parted by ";"; write commas'],
    ["id,,title\n", 1, "column 2 has no name"],
    ["id,title,title.en\n", 1, 'column 3 "title.en" is the same field as column "title"'],
    ["id,title.EN1\n", 1, 'column 2 "title.EN1" is unknown'],
    ["id,molecular_weight\n", 1, 'column "molecular_weight" needs a column "molecular_weight.unit" beside it'],
    ["id,title\nA,b,c\n", 2, "the row has 3 cells, 1 more than the header, which has 2 columns"],
    ["id,title,smiles\n\nA,b\n", 3, 'the row has 2 cells, none for column "smiles", which has 3 columns'],
    ['id,title\nA,"b\n', 2, "column 2: the quote that begins the cell has no quote that ends it"],
    ['id,title\n"A\nB"c,d\n', 3, "column 1: there is text after the quote"],
    [
      "id,molecular_weight.value,molecular_weight.unit\nA,heavy,g/mol\n",
      2,
      'column 2 "molecular_weight.value": "heavy" is not a number',
    ],
    ["id,synonyms\nA,[x]\n", 2, 'column 2 "synonyms": a list that begins with "[" is read as JSON'],
  ])("%j is refused with its line and column", async (text, line, reason) => {
    const { refused, ...counts } = await load(server, "chemicals", text, "merge");
    expect(counts).toMatchObject({ new: 0, changed: 0 });
    expect(refused[0]).toMatchObject({ line, reason: expect.stringContaining(reason) });
  });

  it("is refused for its rows one by one, and by the names of its columns", async () => {
    const { refused } = await load(server, "chemicals", "id,title\nno id,x\ninchikey:,\n", "merge");
    expect(refused.map(({ line }) => line)).toEqual([2, 3]);
    expect(refused[0]!.reason).toContain('the id "no id" does not have the form');
  });

  it("is refused as records, which are no tables", async () => {
    const file = join(folder, "records.csv");
    writeFileSync(file, "id\nx\n");
    await server.services.addUser("ada", "depositor");
    const { refused } = await server.services.importRecords({ model: "mst", file, owner: "ada", publish: false });
    expect(refused).toEqual([
      { line: 1, reason: expect.stringContaining("CSV can be imported only into vocabularies") },
    ]);
  });
});
