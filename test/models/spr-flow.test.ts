/** The flow of an SPR record is a list of paths, each a list of positions: lists within a list. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, ANONYMOUS } from "../../src/core/actor.js";
import type { Json, JsonObject } from "../../src/core/json.js";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../support/open-services.js";

/** As a spectrometer with two channels runs it: at first both at once, then the second after the first. */
const PATHS = [[[{ id: "fc-1" }], [{ id: "fc-2" }]], [[{ id: "fc-1" }, { id: "fc-2" }]]] as const;
const EXAMPLE = new URL("../../catalog/models/spr/example.json", import.meta.url);

let bindery: OpenServices;
let alice: Actor;
beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
});
afterAll(() => bindery.dispose());

/** A whole record whose first two steps have these paths. */
function bodyWith(...paths: readonly Json[]): string {
  const { metadata } = JSON.parse(readFileSync(EXAMPLE, "utf8")) as { readonly metadata: JsonObject };
  const method = metadata.method_specific_parameters as JsonObject;
  const steps = method.measurement_protocol as readonly JsonObject[];
  const measurement_protocol = steps.map((step, i) =>
    i < paths.length ? { ...step, flow: { ...(step.flow as JsonObject), path: paths[i]! } } : step,
  );
  return JSON.stringify({
    metadata: { ...metadata, method_specific_parameters: { ...method, measurement_protocol } },
  });
}

const deposit = (...paths: readonly Json[]) => bindery.createDraft(alice, "spr", bodyWith(...paths));

const search = (q: string) => {
  const window = { page: 1, size: 10 };
  return bindery.searchRecords(ANONYMOUS, {
    q,
    own: false,
    model: "spr",
    window,
    filters: {},
    facetSize: 0,
    lang: "en",
  });
};

describe("a record of several paths", () => {
  it("is published, its references filled in at any depth, and found by them", async () => {
    const draft = await deposit(...PATHS);
    expect([bodyOf(draft).errors, draft.warnings]).toEqual([undefined, []]);
    const { record } = await bindery.publishDraft(alice, { model: "spr", id: draft.record.id });
    const steps = (bodyOf({ record, warnings: [] }).metadata.method_specific_parameters as JsonObject)
      .measurement_protocol as readonly { readonly flow: { readonly path: Json } }[];
    const [bare, coated] = [
      { id: "fc-1", name: "Reference, no ligand" },
      { id: "fc-2", name: "Antibody" },
    ];
    expect(steps.slice(0, 2).map(({ flow }) => flow.path)).toEqual([[[bare], [coated]], [[bare, coated]]]);

    const flow = "method_specific_parameters.measurement_protocol.flow";
    expect((await search(`${flow}.path.id:"fc-2"`)).hits.map(({ id }) => id)).toEqual([record.id]);
    expect((await search(`${flow}.path:(id:"fc-1" AND name:"Reference")`)).total).toBe(1);
    expect((await search(`${flow}.path:(id:"fc-1" AND name:"Antibody")`)).total).toBe(0);
  });

  it("names the path and the position of a reference to nothing", async () => {
    const { record, warnings } = await deposit([[{ id: "fc-1" }], [{ id: "fc-1" }, { id: "fc-3" }]]);
    const place = "metadata.method_specific_parameters.measurement_protocol.0.flow.path.1.1.id";
    expect(bodyOf({ record, warnings }).errors).toEqual([
      expect.objectContaining({ field: place, code: "REFERENCE_DANGLING", nearest: ["fc-1", "fc-2"] }),
    ]);
  });

  it("is one list in another: a single list is refused, with the place of each item", async () => {
    const draft = await deposit(PATHS[1][0]);
    const refusal = await refusalOf(bindery.publishDraft(alice, { model: "spr", id: draft.record.id }));
    const place = "metadata.method_specific_parameters.measurement_protocol.0.flow.path";
    expect(refusal.code).toBe("DRAFT_INVALID");
    expect(refusal.issues.map(({ field, code, messages }) => [field, code, ...messages])).toEqual([
      [`${place}.0`, "WRONG_TYPE", "Path 1 (Protocol step 1) must be a list, not an object."],
      [`${place}.1`, "WRONG_TYPE", "Path 2 (Protocol step 1) must be a list, not an object."],
    ]);
  });
});
