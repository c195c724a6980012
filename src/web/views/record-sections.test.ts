import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import type { JsonObject } from "../../core/json.js";
import { beginningOf, pageSizesOf } from "../../core/records/beginning.js";
import { anchorsOf, recordItem, sectionsOf as sectionsOfItem } from "./record-sections.js";
import { RowPages } from "./row-pages.js";
import type { Item } from "./value-view.js";

type Parts = Parameters<typeof recordItem>[3];
const REST = { name: "rest", title: "Technical details" };
const sectionsOf = (body: JsonObject, model: Model, parts: Parts = {}) =>
  sectionsOfItem(recordItem(body, model, fieldTree(model.schema), parts), model, REST);
const mst = builtInCatalog().models.get("mst")!;
const metadata = (mst.example as { metadata: JsonObject }).metadata;
const titlesOf = (model: Model, body: JsonObject) => sectionsOf(body, model).map(({ title }) => title);
const pathsOf = (items: readonly Item[]) => items.map(({ path }) => path);

describe("the sections of a record", () => {
  it("are those of its model, in its order, and what no section names comes last", () => {
    const titles = titlesOf(mst, { ...metadata, more: { deep: [{ here: 1 }] } });
    expect(titles.slice(0, 4)).toEqual(["Results", "Molecules", "Buffer", "Method"]);
    expect(titles.at(-1)).toBe("Technical details");
    const [rest] = sectionsOf({ more: { deep: [{ here: 1 }] } }, mst);
    expect(rest!.items[0]!.value).toEqual({ more: { deep: [{ here: 1 }] } });
  });

  it("are without those that a record has nothing for", () => {
    expect(titlesOf(mst, { general_parameters: { results: [], technique: "MST" } })).toEqual(["Method"]);
    expect(titlesOf(mst, { general_parameters: { results: [{ name: "" }], funding_references: [null] } })).toEqual([]);
  });

  it("show what lies below a path, but not what another section names", () => {
    const method = sectionsOf(metadata, mst).find(({ name }) => name === "method")!;
    const paths = pathsOf(method.items);
    expect(paths).toContain("metadata.method_specific_parameters.signal_type");
    expect(paths).not.toContain("metadata.method_specific_parameters.measurements");
  });

  it("follow the schema where a model declares none", () => {
    const plain: Model = {
      ...mst,
      page: {
        hit: [],
        columns: [],
        facets: [],
        filters: [],
        structures: [],
        examples: [],
        sections: [],
        tables: new Map(),
        sentences: new Map(),
        words: new Map(),
        checks: [],
      },
    };
    expect(titlesOf(plain, metadata)).toEqual(["General", "Method"]);
    const [general] = sectionsOf(metadata, plain);
    expect(general!.items[0]!.value).toEqual(metadata.general_parameters);
  });
});

it("shows numbers that share a unit each with it, and what is not known as such", () => {
  const size = { type: "diameter", mean: 7, lower: 5.6, unit: "nm" };
  const entities_of_interest = [{ id: "a", size, molecular_weight: { value: -1, unit: "kDa" } }];
  const [entities] = sectionsOf({ general_parameters: { entities_of_interest } }, mst);
  const members = entities!.items[0]!.elements[0]!.members.flatMap((item) => [item, ...item.members]);
  const shown = members.flatMap(({ name, view }) => (view.kind === "quantity" ? [[name, view.quantity.text]] : []));
  expect(Object.fromEntries(shown)).toEqual({
    mean: "7\u202fnm",
    lower: "5.6\u202fnm",
    molecular_weight: "not known",
  });
  expect(members.map(({ path }) => path.split(".").at(-1))).not.toContain("size.unit");
});

it("knows where the parts of a record stand that others refer to", () => {
  const body = { general_parameters: { entities_of_interest: [{ id: "a/b" }, { name: "without" }, { id: "c" }] } };
  const anchors = anchorsOf(body, mst);
  const list = "metadata.general_parameters.entities_of_interest";
  expect(anchors.get(`${list} a/b`)).toBe("/metadata/general_parameters/entities_of_interest/0");
  expect(anchors.get(`${list} c`)).toBe("/metadata/general_parameters/entities_of_interest/2");
});

it("leads a reference to the element on this page, or to the page that has it", () => {
  const entities_of_interest = Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, name: `entity ${i}` }));
  const results = entities_of_interest.map(({ id }, i) => ({ id: `r${i}`, entities_involved: [{ entity: { id } }] }));
  const whole = { general_parameters: { entities_of_interest, results } };
  const sizes = pageSizesOf(whole, 150);
  expect(sizes.elements).toBe(10);
  const query = new Map([["rows.entities_of_interest", ["3"]]]);
  const rows = new RowPages(sizes, "records/aaaaa-bbbbb", query, mst.roots);
  const { metadata: shown, listLengths } = beginningOf(whole, { values: 150, textLength: 99, pages: rows });
  const sections = sectionsOf(shown, mst, { whole, listLengths, rows });
  const all = sections
    .flatMap(({ items }) => items)
    .flatMap(function below(item): readonly Item[] {
      return [item, ...item.members.flatMap(below), ...item.elements.flatMap(below)];
    });
  const pointers = new Set(all.map(({ pointer }) => pointer));
  const references = all.flatMap(({ view }) => (view.kind === "reference" ? [view] : []));
  expect(references).toHaveLength(10);
  for (const { text, anchor, elsewhere } of references) {
    const at = `/metadata/general_parameters/entities_of_interest/${text.slice(1)}`;
    // The results on this page name the first entities; the page shows those from 20 to 29.
    expect([anchor, elsewhere]).toEqual([undefined, `records/aaaaa-bbbbb#${at}`]);
  }
  const anchors = anchorsOf(shown, mst, (pointer) => rows.firstShownIndex(pointer, listLengths.get(pointer) ?? 0));
  expect(anchors.size).toBe(20);
  for (const pointer of anchors.values()) expect(pointers).toContain(pointer);
});

describe("a cited term", () => {
  const at = "metadata.general_parameters.instrument";
  const drawnWith = (term: JsonObject) => {
    const asCited = [{ field: at, vocabulary: "instruments", term }];
    const sections = sectionsOf(metadata, mst, { asCited });
    return sections.flatMap(({ items }) => items).find(({ path }) => path === at)!.view;
  };
  const { id, title } = (metadata.general_parameters as { instrument: { id: string; title?: { en: string } } })
    .instrument;
  const now = title?.en ?? id;

  it("that was merged into another one stays as it was cited, and says what it is now", () => {
    expect(drawnWith({ id: "ins:9999", title: { en: "Old name" } })).toMatchObject({
      kind: "term",
      id: "ins:9999",
      title: "Old name",
      now: { id, title: now },
    });
  });

  it("that was merged since stays as it is, and says what it is now", () => {
    const successors = new Map([[`instruments ${id}`, { id: "ins:9999", title: "New name" }]]);
    const items = sectionsOf(metadata, mst, { successors }).flatMap((section) => section.items);
    expect(items.find(({ path }) => path === at)!.view).toMatchObject({
      id,
      title: now,
      now: { id: "ins:9999", title: "New name" },
    });
  });

  it("that was renamed has its present name, and says how it was cited", () => {
    expect(drawnWith({ id, title: { en: "Old name" } })).toMatchObject({ id, title: now, citedAs: "Old name" });
  });
});
