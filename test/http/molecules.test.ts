import { afterAll, beforeAll, expect, it } from "vitest";
import type { Molecule } from "../../src/core/answers/molecule-answers.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import { chemical, ETHANOL, polymer } from "../support/entities.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";
import { smallRecord } from "../support/small-record.js";

let bindery: Service;
let alice: TestUser;
let strong: RecordShape;
let weak: RecordShape;

const LYSOZYME = "uniprot:P00698";

function protein(id: string, name: string, databases: readonly string[], more = {}) {
  return { ...polymer(id, name, "taxid:562"), external_databases: databases, ...more };
}

const measured = (type: string, value: number, unit: string, ...of: string[]) => ({
  ...{ id: `${type} ${value}`, name: "R", type, value, unit },
  entities_involved: of.map((id) => ({ entity: { id }, copy_number: 1 })),
});

const KD = "Constant of dissociation KD";
const KA = "Constant of association KA";

/** A record of two molecules, `a` and `b`. */
function pair(n: number, a: object, b: object, results: readonly object[]) {
  const { metadata } = smallRecord({ model: "mst", title: `Pair ${n}`, rights: "open", isValid: true });
  const { general_parameters, method_specific_parameters } = metadata;
  const method = JSON.parse(JSON.stringify(method_specific_parameters).replaceAll('"id":"entity"', '"id":"a"'));
  const general = { ...(general_parameters as object), entities_of_interest: [a, b], results };
  return { metadata: { general_parameters: general, method_specific_parameters: method } };
}

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  const lysozyme = protein("a", "Lysozyme", ["Uniprot:P00698-1", "pdb:1lyz"], { sequence: "KVFG rcel", variant: "WT" });
  const antibody = polymer("b", "D1.3", "taxid:9606");
  strong = await publish(alice.client, pair(1, lysozyme, antibody, [measured(KD, 2, "nM", "a", "b")]));
  weak = await publish(
    alice.client,
    pair(2, { ...lysozyme, name: "lysozyme", variant: "D52S" }, chemical("b", "Alcohol"), [
      measured(KA, 1, "mM^-1", "a", "b"),
      measured(KD, 0.001, "nM", "b"),
    ]),
  );
  const named = {
    ...lysozyme,
    name: "Muramidase",
    external_databases: ["https://www.uniprot.org/uniprotkb/P00698/entry"],
  };
  await publish(alice.client, pair(3, named, antibody, [measured(KD, 8, "nM", "a", "b")]));
  await deposit(alice.client, pair(4, { ...lysozyme, name: "Secret" }, antibody, [measured(KD, 1, "fM", "a", "b")]));
  await deposit(alice.client, pair(5, protein("a", "Hidden", ["uniprot:Q99999"]), antibody, []));
});
afterAll(() => bindery.dispose());

async function read(id: string, client = bindery.client): Promise<Molecule> {
  const { status, body, text } = await client.get<Molecule>(`/api/molecules/${id}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
}

it("says what published records say, and nothing of drafts", async () => {
  for (const client of [bindery.client, alice.client]) {
    const molecule = await read(LYSOZYME, client);
    expect(molecule).toMatchObject({ id: LYSOZYME, records: 3, read: 3 });
    // One name, whatever its case.
    expect(molecule.names.map(({ name, records }) => `${name.toLowerCase()} ${records}`)).toEqual([
      "lysozyme 2",
      "muramidase 1",
    ]);
    expect(molecule.identifiers).toEqual([{ id: "pdb:1LYZ", url: "https://identifiers.org/pdb:1LYZ", records: 2 }]);
    expect(molecule.organisms).toEqual([{ id: "taxid:562", name: "Escherichia coli", records: 3 }]);
    expect(molecule.variants).toEqual([
      { name: "WT", records: 2 },
      { name: "D52S", records: 1 },
    ]);
    expect(molecule.sequences).toEqual([{ sequence: "KVFGRCEL", records: 3 }]);
    expect(molecule.models).toEqual([{ name: "mst", title: "MST", records: 3 }]);
    expect(molecule.aggregations.kd).toMatchObject({ type: "histogram", unit: "M" });
    expect(JSON.stringify(molecule)).not.toContain("Secret");
  }
});

it("lists partners with their best number, of results about both molecules only", async () => {
  const { partners, results } = await read(LYSOZYME);
  expect(partners).toMatchObject([
    { name: "D1.3", records: 2, best: { quantity: "kd", value: 2, unit: "nM" } },
    { id: ETHANOL, name: "Alcohol", records: 1, best: { value: 0.001, unit: "M", derived: true, from: ["ka"] } },
  ]);
  expect(results.map(({ record }) => record)).toMatchObject([strong.id, expect.any(String), weak.id]);
  expect(results[0]).toMatchObject({ title: "Pair 1", model: "mst", with: [{ name: "D1.3" }] });
  expect(results[2]!.figures.map(({ quantity }) => quantity)).toEqual(["kd", "ka"]);
});

it("is a search: its total is that of the field and of the facet, and so are the links", async () => {
  const { records, links } = await read(LYSOZYME);
  for (const query of [`q=molecule:"${LYSOZYME}"`, "molecule=p00698-1", "molecule=pdb:1LYZ&molecule=P00698"]) {
    const { body } = await bindery.client.get<SearchBody>(`/api/search?${query}`);
    expect(body.hits.total, query).toBe(records);
  }
  expect(links.register).toBe("https://www.uniprot.org/uniprotkb/P00698");
  const { body } = await bindery.client.get<SearchBody>(
    new URL(links.records).pathname + new URL(links.records).search,
  );
  expect(body.hits.total).toBe(records);
});

it("labels its facet with the most used name, in the caller's own records with names in drafts", async () => {
  const labels = async (path: string, client = bindery.client) => {
    const { body } = await client.get<SearchBody>(`${path}?facets=molecule&size=1`);
    return body.aggregations!.molecule!.buckets.map(({ key, label, doc_count }) => `${key} ${label} ${doc_count}`);
  };
  const published = await labels("/api/search");
  expect(published).toContainEqual(
    expect.stringMatching(/^uniprot:P00698 (Lysozyme|lysozyme|Muramidase)(?: \(uniprot:P00698\))? 3$/),
  );
  expect(published.join()).not.toMatch(/Secret|Hidden/);
  expect(published).toContain(`${ETHANOL} Alcohol 1`);
  expect(await labels("/api/user/search", alice.client)).toContain("uniprot:Q99999 Hidden 1");
});

it("is found by the first block of an InChIKey, with the compounds that share it", async () => {
  const block = ETHANOL.slice(0, "inchikey:".length + 14);
  const molecule = await read(block);
  expect(molecule).toMatchObject({
    id: block,
    name: "Alcohol",
    records: 1,
    identifiers: [{ id: ETHANOL, records: 1 }],
  });
  expect(molecule.term).toBeUndefined();
  expect((await read(ETHANOL)).links.term).toContain("/vocabularies/chemicals/");
});

it("redirects other forms of an id", async () => {
  for (const id of [
    "P00698",
    "UniProtKB:P00698-2",
    "uniprot%3Ap00698",
    encodeURIComponent("https://www.uniprot.org/uniprotkb/P00698"),
  ]) {
    const { status, headers } = await bindery.client.get(`/api/molecules/${id}`);
    expect([status, headers.location], id).toEqual([301, expect.stringMatching(/\/api\/molecules\/uniprot:P00698$/)]);
  }
});

it("is unknown if no published record has it, and names similar ones", async () => {
  for (const id of ["uniprot:Q99999", "lysozyme", "uniprot:P0069", `x${"y".repeat(5_000)}`]) {
    const { status, body } = await bindery.client.get<Problem>(`/api/molecules/${id}`);
    expect([status, body.code], id).toEqual([404, "MOLECULE_NOT_FOUND"]);
    expect(JSON.stringify(body), id).not.toMatch(/Hidden|Secret/);
  }
  for (const text of ["lysozyme", "Lysozime", "uniprot:P0069", "P00689"]) {
    const { body } = await bindery.client.get<Problem>(`/api/molecules/${text}`);
    expect(body.errors, text).toMatchObject([
      { code: "MOLECULE_UNKNOWN", nearest: expect.arrayContaining([LYSOZYME]) },
    ]);
  }
  const { body } = await bindery.client.get<Problem>("/api/molecules/zzzzzz");
  expect(body.errors).toMatchObject([
    { code: "MOLECULE_UNKNOWN", messages: [expect.stringContaining("q=molecule:<name>")] },
  ]);
  expect(body.errors![0]).not.toHaveProperty("nearest");
});

it("redirects the id of a merged compound, even if no record cites it", async () => {
  const curator = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  const id = "inchikey:QQQQQQQQQQQQQQ-UHFFFAOYSA-N";
  await curator.client.post("/api/vocabularies/chemicals", { id, title: { en: "Spirit of wine" } });
  expect((await bindery.client.get(`/api/molecules/${id}`)).status).toBe(404);
  const merged = await curator.client.post(`/api/vocabularies/chemicals/${id}/actions/merge`, { into: ETHANOL });
  expect(merged.status, merged.text).toBe(200);
  const { status, headers } = await bindery.client.get(`/api/molecules/${id}`);
  expect([status, headers.location]).toEqual([301, expect.stringContaining(`/api/molecules/${ETHANOL}`)]);
});
