import { describe, expect, it } from "vitest";
import { tinyCatalog, tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { withFacets } from "../../../../test/support/with-facets.js";
import type { SourceRecord } from "../../../ports/index-documents.js";
import { readTreeKey, treeKey } from "../facets/counters.js";
import { numberPaths } from "./index-fields.js";
import { keywordToken, numberToken } from "./index-tokens.js";
import { makeRecordDocuments } from "./record-document.js";

const catalog = withFacets(tinyCatalog(), [
  { kind: "tree", vocabulary: "species", name: "taxon", label: "Taxon", path: "metadata.organism.id" },
  {
    kind: "histogram",
    scale: "linear",
    name: "any",
    label: "Any",
    path: "metadata.ph",
    morePaths: ["metadata.results.value"],
  },
]);
const numbers = numberPaths(catalog);
const make = makeRecordDocuments(catalog, numbers);

function source(metadata: Parameters<typeof tinyRecord>[1]): SourceRecord {
  const json = JSON.stringify(tinyRecord("a", metadata));
  const record = {
    id: "a",
    parent: "p",
    model: "tiny",
    state: "published",
    isPublished: true,
    owner: "1",
    revision: 1,
  };
  const place = { row: 7, seq: 9, isLatest: true, hasOtherState: false, sharedWith: [], terms: [] };
  return { record: { ...record, json } as SourceRecord["record"], ...place };
}

/** `sp:562` lies below `sp:543`, and that below `sp:2`. */
const parents: Readonly<Record<string, string>> = { "sp:562": "sp:543", "sp:543": "sp:2" };
const lineage = { getParentId: (_: string, id: string) => parents[id] };

const documentOf = (metadata: Parameters<typeof tinyRecord>[1]) => JSON.parse(make(source(metadata), lineage).json);

describe("a document of a record", () => {
  it("says who may find it, and where it stands", () => {
    expect(documentOf({})).toMatchObject({ id: "a", state: "published", model: "tiny", owner: "1", row: 7, seq: 9 });
    expect(documentOf({})).toMatchObject({ latest: true, hasOtherState: false });
  });

  it("has a sum of all that it says", () => {
    const { json, sum } = make(source({ title: "a" }), lineage);
    expect(JSON.parse(json).sum).toBe(sum);
    expect(make(source({ title: "a" }), lineage).sum).toBe(sum);
    expect(make(source({ title: "b" }), lineage).sum).not.toBe(sum);
  });

  it("holds its elements, each with what stands in it and in no deeper one", () => {
    const { e, r } = documentOf({ samples: [{ name: "Serum albumin", steps: [{ name: "mix" }] }, { name: "x" }] });
    const p = numbers.tokenOf("metadata.samples.name");
    expect(e).toMatchObject([
      { r: ["serum albumin"], e: [{ r: ["mix"] }] },
      { r: ["x"], e: [] },
    ]);
    expect(e[0].at).toEqual([`_${p}_serum _${p}_albumin`]);
    expect(e[0].k).toContain(`@${numbers.tokenOf("metadata.samples")}`);
    expect(r).toEqual(expect.arrayContaining(["serum albumin", "mix", "x"]));
  });

  it("says of cited items what they lie below, each with the one above it", () => {
    const { k, f } = documentOf({ organism: { id: "sp:562" } });
    expect(k).toEqual(expect.arrayContaining(["~~species:sp%3a562", "^~species:sp%3a543", "^~species:sp%3a2"]));
    const [keys] = Object.entries(f).flatMap(([field, keys]) => (field.startsWith("a_species") ? [keys] : []));
    expect((keys as string[]).map(readTreeKey)).toEqual([
      { id: "sp:562", parent: "sp:543" },
      { id: "sp:543", parent: "sp:2" },
      { id: "sp:2", parent: undefined },
    ]);
    expect(readTreeKey(treeKey("a", undefined))).toEqual({ id: "a", parent: undefined });
  });

  it("counts a number at two paths of a facet once", () => {
    const { f, n } = documentOf({ ph: 7, results: [{ value: 7 }, { value: 8 }] });
    expect(n[numbers.tokenOf("metadata.ph")]).toEqual([7]);
    expect(n[numbers.tokenOf("metadata.results.value")]).toEqual([7, 8]);
    expect(Object.values(f)).toContainEqual([7, 8]);
  });

  it("gives numbers of paths that have no field tokens in the order of the numbers", () => {
    const ascending = [-1e300, -2.5, -1e-300, -0, 0, 5e-324, 1, 1.5, 2, 1e300];
    const tokens = ascending.map((number) => numberToken("p", number));
    expect([...tokens].sort()).toEqual(tokens);
    expect(numberToken("p", -0)).toBe(numberToken("p", 0));
  });

  it("cuts what is longer than any question, and leaves no half of a character", () => {
    expect(keywordToken("1", `${"a".repeat(9_999)}\u{1f600}b`)).toBe(`1\u0001${"a".repeat(9_999)}`);
  });

  it("keeps the numbers of paths that the catalog does not have any more", () => {
    const kept = numberPaths(catalog, ["metadata.gone", "metadata.title"]);
    expect(kept.paths.slice(0, 2)).toEqual(["metadata.gone", "metadata.title"]);
    expect([...kept.paths].sort()).toEqual([...numbers.paths, "metadata.gone"].sort());
    expect(numbers.paths).toEqual([...numbers.paths].sort());
  });
});
