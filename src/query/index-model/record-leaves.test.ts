import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryMetadata, tinyTerm } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyRecord } from "../../../test/support/tiny-catalog.js";
import type { JsonObject } from "../../core/json.js";
import type { LeafValue, RecordLeaves } from "./leaves.js";
import { recordLeaves } from "./record-leaves.js";

const model = tinyModel();
const leavesOf = (metadata: JsonObject): RecordLeaves =>
  recordLeaves(tinyRecord("aaaaa-bbb11", metadata), model, tinyTerm);
const ownOf = (metadata: JsonObject): readonly LeafValue[] => leavesOf(metadata).leaves.slice(6);
const leaf = (path: string | null, words: readonly string[], rest: Partial<LeafValue> = {}): LeafValue => ({
  path,
  element: 0,
  weight: "rest",
  words,
  ...rest,
});

describe("recordLeaves", () => {
  it("begins with what every record has; its ids and dates have no words, its model and state are no text", () => {
    const created = Date.UTC(2026, 10, 21, 10) * 1000 + 123_456;
    expect(leavesOf({})).toMatchObject({
      elements: [],
      cites: [],
      leaves: [
        leaf("id", [], { keyword: "aaaaa-bbb11" }),
        leaf("model", ["tiny"], { keyword: "tiny", isFieldOnly: true }),
        leaf("state", ["published"], { keyword: "published", isFieldOnly: true }),
        leaf("created", [], { number: created }),
        leaf("updated", [], { number: created - 123_456 + 3_600_000_000 }),
        leaf("parent.id", [], { keyword: "aaaaa-bbb11-parent" }),
      ],
    });
  });

  it("gives declared values their type and weight", () => {
    const metadata = { title: "IL-6", depositor: { name: "Doe" }, ph: 7.4, is_calibrated: true, measured: "2024-05" };
    expect(ownOf(metadata)).toEqual([
      leaf("metadata.title", ["il", "6"], { weight: "title", keyword: "IL-6" }),
      leaf("metadata.depositor.name", ["doe"], { weight: "heavy", keyword: "Doe" }),
      leaf("metadata.ph", ["7", "4"], { number: 7.4 }),
      leaf("metadata.is_calibrated", ["true"], { keyword: "true" }),
      leaf("metadata.measured", ["2024", "05"], { number: Date.UTC(2024, 4) * 1000 }),
    ]);
  });

  it("takes values of a wrong type as text", () => {
    expect(ownOf({ title: 7, ph: "7.4", measured: "soon", depositor: ["x", { name: "y" }] })).toEqual([
      leaf("metadata.title", ["7"], { weight: "title", keyword: "7" }),
      leaf("metadata.ph", ["7", "4"]),
      leaf("metadata.measured", ["soon"]),
      leaf(null, ["x"]),
      leaf("metadata.depositor.name", ["y"], { weight: "heavy", keyword: "y" }),
    ]);
  });

  it("leaves out what is no value, and the number for not known", () => {
    expect(ownOf({ title: "", keywords: [], organism: {}, ph: -1, measured: null, other: null })).toEqual([]);
    expect(ownOf({ title: "…" })).toEqual([leaf("metadata.title", [], { weight: "title", keyword: "…" })]);
  });

  it("numbers the elements of declared lists of objects in document order", () => {
    const { elements, leaves } = leavesOf({
      samples: [{ name: "a", steps: [{ tags: ["b", ["c"]] }, {}] }, { name: "d" }, "e"],
      results: [{ sample: { id: "a" } }],
    });
    expect(elements).toEqual([
      { path: "metadata.samples", parent: 0 },
      { path: "metadata.samples.steps", parent: 1 },
      { path: "metadata.samples.steps", parent: 1 },
      { path: "metadata.samples", parent: 0 },
      { path: "metadata.results", parent: 0 },
    ]);
    expect(leaves.slice(6)).toEqual([
      leaf("metadata.samples.name", ["a"], { element: 1, keyword: "a" }),
      leaf("metadata.samples.steps.tags", ["b"], { element: 2, keyword: "b" }),
      leaf("metadata.samples.steps.tags", ["c"], { element: 2, keyword: "c" }),
      leaf("metadata.samples.name", ["d"], { element: 4, keyword: "d" }),
      leaf(null, ["e"]),
      leaf("metadata.results.sample.id", ["a"], { element: 5, keyword: "a" }),
    ]);
  });

  it("takes undeclared values as text in the nearest declared element", () => {
    expect(ownOf({ samples: [{ colour: [{ name: "red" }, 7, false, null] }], "samples.name": "x" })).toEqual([
      leaf(null, ["red"], { element: 1 }),
      leaf(null, ["7"], { element: 1 }),
      leaf(null, ["false"], { element: 1 }),
      leaf(null, ["x"]),
    ]);
    expect(ownOf(JSON.parse('{"__proto__": {"title": "p"}, "constructor": "c"}'))).toEqual([
      leaf(null, ["p"]),
      leaf(null, ["c"]),
    ]);
  });

  it("gives cited terms with their titles, copied fields and synonyms, and without their version", () => {
    const organism = { "@v": "x::1", id: "sp:561", title: { en: "Coli", la: "Bacterium" }, rank: "genus", extra: "e" };
    const { leaves, cites } = leavesOf({ organism, samples: [{ source: { id: "sp:562" } }, { source: { id: 7 } }] });
    expect(leaves.slice(6, 12)).toEqual([
      leaf("metadata.organism.id", ["sp", "561"], { keyword: "sp:561" }),
      leaf("metadata.organism.title.en", ["coli"], { keyword: "Coli" }),
      leaf(null, ["bacterium"]),
      leaf("metadata.organism.rank", ["genus"], { keyword: "genus" }),
      leaf(null, ["e"]),
      leaf("metadata.organism.synonyms", ["abc"]),
    ]);
    expect(cites).toEqual([
      { vocabulary: "species", id: "sp:561", site: "metadata.organism", element: 0 },
      { vocabulary: "species", id: "sp:562", site: "metadata.samples.source", element: 1 },
    ]);
  });

  it("adds the ids of molecules: those that facets count, and others that only find the record", () => {
    const key = "inchikey:QNAYBMKLOCPYGJ-REOHCLBHSA-N";
    const samples = [
      { name: "Ala", codes: ["none", key, "Uniprot:P00698-2", "P00698"] },
      { source: { id: "sp:1" } },
      { name: "in part", steps: [{ name: "part", codes: ["pdb:1lyz"] }] },
    ];
    const renamed = (vocabulary: string, id: string) => {
      const term = tinyTerm(vocabulary, "sp:562");
      return id === "sp:1" && term !== undefined ? { ...term, id: "sp:2" } : undefined;
    };
    const { leaves } = recordLeaves(tinyRecord("aaaaa-bbb11", { samples }), model, renamed);
    const made = leaves.filter(({ path }) => path?.startsWith("metadata.samples.@molecule"));
    expect(made.map(({ path, element, keyword, words }) => [path?.slice(26), element, keyword, ...words])).toEqual([
      ["", 1, key],
      ["~", 1, "inchikey:QNAYBMKLOCPYGJ"],
      ["=", 1, `${key} Ala`],
      ["", 1, "uniprot:P00698"],
      ["=", 1, "uniprot:P00698 Ala"],
      ["", 2, "sp:2"],
      ["~", 2, "sp:1"],
      ["", 3, "pdb:1LYZ"],
      ["=", 3, "pdb:1LYZ part"],
    ]);
  });

  it("gives declared paths in elements of their own list only, whatever the record holds", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (metadata) => {
        const { elements, leaves, cites } = leavesOf(metadata);
        elements.forEach(({ parent }, i) => {
          expect(parent).toBeLessThanOrEqual(i);
        });
        for (const { path, element } of leaves) {
          // What a quantity adds stands where the number does.
          const declared = path === null ? undefined : model.leaves.get(path.replace(/@[a-z_?]+$/, ""));
          const list = path?.split(".@")[0];
          if (path?.includes(".@")) expect(elements[element - 1]?.path).toBe(list);
          else if (path !== null) expect(declared?.elementPath).toBe(elements[element - 1]?.path ?? "");
        }
        for (const { element } of cites) expect(element).toBeLessThanOrEqual(elements.length);
      }),
    );
  });
});
