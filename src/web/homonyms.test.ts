import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

const TAXA = [
  { id: "taxid:2", title: "Bacteria" },
  { id: "taxid:33208", title: "Metazoa" },
  { id: "taxid:33090", title: "Viridiplantae" },
  { id: "taxid:1386", title: "Bacillus", parent: "taxid:2" },
  { id: "taxid:55087", title: "Bacillus", parent: "taxid:33208" },
  { id: "taxid:43170", title: "Linaria", parent: "taxid:33090" },
  { id: "taxid:1930290", title: "Linaria", parent: "taxid:33208" },
];
const PLANT = "taxid:43170";
const BACTERIUM = "taxid:1386";

/** Records cite only one of the two organisms of each title, so the other one is in no list. */
let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
  const file = join(mkdtempSync(join(tmpdir(), "homonyms-")), "taxa.ndjson");
  writeFileSync(file, TAXA.map((taxon) => JSON.stringify(taxon)).join("\n"));
  await server.services.importTerms({ vocabulary: "organisms", file, skipRefused: false });
  const headers = { authorization: `Bearer ${await server.token("alice")}` };
  for (const [n, organism] of [PLANT, BACTERIUM].entries()) {
    const payload = makeRecord(n, { title: `Homonym ${n}`, organism: () => organism });
    const draft = await server.app.inject({ method: "POST", url: "/api/records/mst", headers, payload });
    expect(draft.statusCode, draft.body).toBe(201);
    const url = `/api/records/mst/${draft.json().id}/draft/actions/publish`;
    expect((await server.app.inject({ method: "POST", url, headers })).statusCode).toBe(202);
  }
});
afterAll(() => server.close());

const page = async (url: string) => textOf((await server.app.inject({ url, headers: BROWSER })).body);
const data = async (url: string) => (await server.app.inject(url)).json();
const labelsOf = ({ aggregations }: { aggregations: { organism: { buckets: { key: string; label: string }[] } } }) =>
  Object.fromEntries(aggregations.organism.buckets.map(({ key, label }) => [key, label]));

describe("a list with only one of two terms of a title shows which one it is", () => {
  it("in facets", async () => {
    const labels = labelsOf(await data("/api/search?facets=organism"));
    expect(labels).toMatchObject({ [PLANT]: "Linaria (Viridiplantae)", [BACTERIUM]: "Bacillus (Bacteria)" });
    expect(await page("/search?facets=organism")).toContain("Linaria (Viridiplantae)");
  });

  it.each(["lina", "linaria"])("among the values of a facet for %s", async (text) => {
    const labels = labelsOf(await data(`/api/search?facets=organism&facet_text=${text}`));
    expect(labels[PLANT]).toBe("Linaria (Viridiplantae)");
  });

  it.each([
    `/search?organism=${PLANT}`,
    `/records/mst?organism=${PLANT}&q=nothing-has-this-word`,
    `/search?organism=${PLANT}&view=table`,
    `/search?organism=${PLANT}&facets=instrument`,
  ])("in the filters that are set: %s", async (url) => {
    expect(await page(url)).toMatch(/Organism Linaria \(Viridiplantae\)/i);
  });

  it("in completions and in the parts of a query", async () => {
    const typed = await data("/api/query?q=organism:linar&at=14");
    expect(typed.completions.map(({ label }: { label: string }) => label)).toContain("Linaria (Viridiplantae)");
    const { parts } = await data(`/api/query?q=organism:${PLANT}`);
    expect(parts[0].term).toEqual({ id: PLANT, title: "Linaria (Viridiplantae)" });
    const begun = await data("/api/query?q=organism:&at=9");
    expect(begun.completions.map(({ label }: { label: string }) => label)).toContain("Bacillus (Bacteria)");
  });
});

it("the page of a term names the other terms with its title, with what tells them apart", async () => {
  const text = await page(`/vocabularies/organisms/${PLANT}`);
  expect(text).toContain("Other terms with this name Linaria (Metazoa) Metazoa taxid:1930290");
  expect(await page("/vocabularies/organisms/taxid:2")).not.toContain("Other terms with this name");
});
