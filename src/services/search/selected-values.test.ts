import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices } from "../../../test/support/open-services.js";
import type { Actor } from "../../core/actor.js";
import type { JsonObject } from "../../core/json.js";
import { readValues } from "./selected-values.js";

let bindery: OpenServices;
let alice: Actor;
/** The draft that cites the replaced items, and the one that cites their successors. */
let before: string;
let after: string;

const instrument = (id: string) => ({ id, title: { en: id }, props: { manufacturer: "M" } });
const organism = (id: string) => ({ id, title: { en: id }, props: { rank: "species" } });

async function load(vocabulary: string, items: readonly JsonObject[]): Promise<void> {
  const file = bindery.file("items.ndjson", items.map((item) => JSON.stringify(item)).join("\n"));
  expect((await bindery.importTerms({ vocabulary, file, skipRefused: false })).refused).toEqual([]);
}

async function draft(instrumentId: string, organismId: string): Promise<string> {
  const entity = { id: "a", type: "Polymer", name: "x", source_organism: { id: organismId } };
  const general = { instrument: { id: instrumentId }, entities_of_interest: [entity] };
  const body = JSON.stringify({ metadata: { general_parameters: general } });
  return bodyOf(await bindery.createDraft(alice, "mst", body)).id;
}

const search = (filters: Record<string, readonly string[]>) =>
  bindery.searchRecords(alice, { window: { size: 10 }, filters, facetSize: 5, lang: "en", own: true });

beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
  await load("instruments", [instrument("ins:9001"), instrument("ins:9002")]);
  await load("organisms", [organism("taxid:91000001"), organism("taxid:91000002")]);
  before = await draft("ins:9001", "taxid:91000001");
  after = await draft("ins:9002", "taxid:91000002");
  const gone = { status: "deprecated" };
  await load("instruments", [{ ...instrument("ins:9001"), ...gone, replaced_by: "ins:9002" }]);
  await load("organisms", [{ ...organism("taxid:91000001"), ...gone, replaced_by: "taxid:91000002" }]);
});
afterAll(() => bindery.dispose());

describe.each([
  { facet: "instrument", kind: "of ids", old: "ins:9001", now: "ins:9002" },
  { facet: "organism", kind: "of a tree", old: "taxid:91000001", now: "taxid:91000002" },
])("a filter by a facet $kind", ({ facet, old, now }) => {
  it("finds the same by a replaced id as by its successor, and says so", async () => {
    const answers = [await search({ [facet]: [now] }), await search({ [facet]: [old] })] as const;
    for (const { hits, aggregations } of answers) {
      expect(hits.map(({ id }) => id)).toEqual([after, before]);
      expect(aggregations![facet]!.buckets).toContainEqual(
        expect.objectContaining({ key: now, doc_count: 2, is_selected: true }),
      );
    }
    expect(answers[0].warnings).toEqual([]);
    const message = `"${old}" was replaced by its successor "${now}".`;
    expect(answers[1].warnings).toEqual([{ code: "TERM_REPLACED", message, parameter: facet, value: old }]);
  });
});

const TECHNIQUES = [
  "Bio-layer interferometry (BLI)",
  "Isothermal Titration Calorimetry (ITC)",
  "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
  "Surface plasmon resonance (SPR)",
];
const FUNDERS = ["Deutsche Forschungsgemeinschaft", "European Commission", "National Institutes of Health", "UKRI"];
const RESULTS = ["Constant of association KA", "Constant of dissociation KD", "Dissociation rate kOff"];
const TYPES = ["Polymer", "Chemical", "Molecular assembly"];

it.each([
  ["SPR", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["spr", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["S.P.R.", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["(SPR)", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["surface plasmon resonance", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["Surface Plasmon", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["plasmon", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["Surface plasmon rezonance", TECHNIQUES.slice(3), "Surface plasmon resonance (SPR)"],
  ["Surface plasmon resonance (SPR) imaging", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["MST", TECHNIQUES, TECHNIQUES[2]],
  ["tric", TECHNIQUES, TECHNIQUES[2]],
  ["MST/TRIC", TECHNIQUES, TECHNIQUES[2]],
  ["Microscale thermophoresis", TECHNIQUES, TECHNIQUES[2]],
  ["BLI", TECHNIQUES, TECHNIQUES[0]],
  ["biolayer interferometry", TECHNIQUES, TECHNIQUES[0]],
  ["itc", TECHNIQUES, TECHNIQUES[1]],
  ["NIH", FUNDERS, "National Institutes of Health"],
  ["EC", FUNDERS, "European Commission"],
  ["UK Research and Innovation (UKRI)", FUNDERS, "UKRI"],
  ["Surface plasmon resonance", ["BLI", "SPR"], "SPR"],
  ["KD", RESULTS, "Constant of dissociation KD"],
  ["koff", RESULTS, "Dissociation rate kOff"],
  ["polymer", TYPES, "Polymer"],
  ["POLYMERS", TYPES, "Polymer"],
  ["assembly", TYPES, "Molecular assembly"],
])("%j means first of all one value", async (text, values, value) => {
  const findNear = await readValues(values);
  expect((await findNear(text, 5))[0]).toBe(value);
});

it.each(["", "...", "a", "xyz", "ITS nothing"])("%j means none", async (text) => {
  const findNear = await readValues(TECHNIQUES.slice(2));
  expect(await findNear(text, 5)).toEqual([]);
});
