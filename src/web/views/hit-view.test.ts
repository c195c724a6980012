import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { makeCaches } from "../../core/caches.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { JsonObject } from "../../core/json.js";
import type { RecordHit } from "../../services/api/searches.js";
import { plainText } from "../notation/rich-text.js";
import { mainResults, makeHitViews } from "./hit-view.js";

const catalog = builtInCatalog();
const TITLE = "metadata.general_parameters.record_information.title";
const nanomolar = catalog.models.get("mst")!.units.units.get("nM")!;

const KD: JsonObject = { id: "r", type: "Constant of dissociation KD", value: 2.5, unit: "µM" };
const KA: JsonObject = { id: "r", type: "Constant of association KA", value: 3e8, unit: "M^-1" };

function hitOf(title: string, highlight: RecordHit["highlight"] = {}, result = KD): RecordHit {
  const { metadata } = catalog.models.get("mst")!.example as { readonly metadata: JsonObject };
  const general = metadata.general_parameters as JsonObject;
  const results = [result];
  const record_information = { ...(general.record_information as JsonObject), title };
  const created = "2026-01-02T03:04:05.000000+00:00";
  const body = {
    id: "abcde-fghij",
    model: "mst",
    state: "published",
    revision_id: 1,
    created,
    updated: created,
    parent: { id: "parent", owner: { user: "ada" } },
    versions: { index: 1, is_latest: true },
    metadata: { ...metadata, general_parameters: { ...general, record_information, results } },
  };
  const stored = { id: body.id, parent: "parent", owner: "ada", state: "published" as const, isPublished: true };
  return { ...stored, model: "mst", revision: 1, json: JSON.stringify(body), highlight };
}

it("shows the same record each time as it is, as it matches, and in the units that are asked for", () => {
  const hitView = makeHitViews({ catalog, fieldsOf: ({ schema }) => fieldTree(schema) }, makeCaches());
  const plain = hitView(hitOf("Lysozyme"));
  expect(plain).toMatchObject({ title: "Lysozyme", matches: [] });
  expect(plain.results.map(({ symbol, quantity }) => [plainText(symbol), quantity.text])).toEqual([
    ["KD", "2.5\u202fµM"],
  ]);
  expect(plain).not.toHaveProperty("marked");
  expect(hitView(hitOf("Lysozyme", { [TITLE]: ["<em>Lysozyme</em>"] })).marked).toBe("<em>Lysozyme</em>");
  const chosen = { units: new Map([["kd", nanomolar]]), isDeposited: false };
  const [converted] = hitView(hitOf("Lysozyme"), chosen).results;
  expect(converted!.quantity).toMatchObject({ text: "2500\u202fnM", deposited: "2.5 µM" });
  expect(hitView(hitOf("Lysozyme"))).toEqual(plain);
  expect(hitView(hitOf("Renamed")).title).toBe("Renamed");
});

it("shows the KD that follows from a KA, before it, unless the list of results is cut", () => {
  const hitView = makeHitViews({ catalog, fieldsOf: ({ schema }) => fieldTree(schema) }, makeCaches());
  const shown = (hit: RecordHit) =>
    hitView(hit).results.map(({ symbol, quantity: { text, from, deposited } }) => {
      return [plainText(symbol), text.replaceAll("\u202f", " "), from && plainText(from), deposited];
    });
  const hit = hitOf("Affine", {}, KA);
  expect(shown(hit)).toEqual([
    ["KD", "3.333 nM", "KA", undefined],
    ["KA", "3 × 10⁸ M⁻¹", undefined, "300000000 M⁻¹"],
  ]);
  const cut = { ...hitOf("Cut", {}, KA), elementsLeft: new Map([["metadata.general_parameters.results", 1]]) };
  expect(shown(cut).map(([symbol]) => symbol)).toEqual(["KA"]);
});

it("shows the beginnings of long texts of old records, and counts results that a beginning lacks", () => {
  const hitView = makeHitViews({ catalog, fieldsOf: ({ schema }) => fieldTree(schema) }, makeCaches());
  const long = hitView(hitOf("long ".repeat(10_000)));
  expect(long.title.length).toBeLessThan(1_100);
  expect(long.title.endsWith("…")).toBe(true);
  const hit = { ...hitOf("Cut"), elementsLeft: new Map([["metadata.general_parameters.results", 1_450]]) };
  expect([hitView(hit).results.length, hitView(hit).resultsLeft]).toEqual([1, 1_450]);
  // The record is complete, so the text is the same.
  expect(hitView(hitOf("Cut")).resultsLeft).toBe(0);
});

it.each([
  [["KD", "KD", "KD", "KD", "KD", "KD"], ["KD 0", "KD 1", "KD 2", "KD 3"], 2],
  [["KD", "KD", "KD", "KD", "kOff", "kOn"], ["KD 0", "KD 1", "kOff 4", "kOn 5"], 2],
  [["kOn", "KD"], ["kOn 0", "KD 1"], 0],
  [Array.from({ length: 300 }, () => "KD"), ["KD 0", "KD 1", "KD 2", "KD 3"], 296],
])("of results of the kinds %j the most telling are %j, and %d are counted", (kinds, symbols, left) => {
  const results = kinds.map((kind, i) => ({ kind, value: i, unit: "nM", of: [] }));
  const merits = mainResults(results, catalog.models.get("mst")!, new Map());
  expect(
    merits.results.map(({ symbol, quantity }) => `${plainText(symbol)} ${quantity.text.replace("\u202fnM", "")}`),
  ).toEqual(symbols);
  expect(merits.resultsLeft).toBe(left);
});
