/** What a record may say by its types and yet cannot be, and what its body asks for and is not there. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { smallRecord } from "../../../test/support/small-record.js";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { Json, JsonObject } from "../../core/json.js";

let bindery: OpenServices;
let alice: Actor;
beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
});
afterAll(() => bindery.dispose());

const GENERAL = "metadata.general_parameters";
const KD = {
  type: "Constant of dissociation KD",
  unit: "nM",
  entities_involved: [{ entity: { id: "entity" }, copy_number: 1 }],
};

type Model = "bli" | "itc" | "mst" | "spr";
const small = (model: Model = "mst"): JsonObject =>
  smallRecord({ model, title: "Small", rights: "open", isValid: true }).metadata;

/** The small record with another value at a place of its metadata. */
function withValue(place: string, value: Json, model: Model = "mst"): JsonObject {
  const copy = structuredClone(small(model)) as Record<string, Json>;
  const steps = place.split(".");
  const last = steps.pop()!;
  let at: Record<string, Json> = copy;
  for (const step of steps) at = at[step] as Record<string, Json>;
  at[last] = value;
  return copy;
}

const post = async (metadata: JsonObject, beside: JsonObject = {}, model: Model = "mst") => {
  const answer = await bindery.createDraft(alice, model, JSON.stringify({ metadata, ...beside }));
  return { ...answer, body: bodyOf(answer), address: { model, id: answer.record.id } };
};

/** Fields and codes of the problems of a draft, of the validation of its body, and of the refusal to publish it. */
async function problemsOf(metadata: JsonObject, model: Model = "mst") {
  const { body, address } = await post(metadata, {}, model);
  const errors = body.errors ?? [];
  expect((await bindery.validateRecord(alice, model, JSON.stringify({ metadata }))).errors).toEqual(errors);
  if (errors.length > 0) {
    const refusal = await refusalOf(bindery.publishDraft(alice, address));
    expect([refusal.code, refusal.issues]).toEqual(["DRAFT_INVALID", errors]);
  } else await bindery.publishDraft(alice, address);
  return errors.map(({ field, code, messages }) => [field, code, ...messages]);
}

const result = (value: number, type = KD.type, unit = KD.unit): JsonObject =>
  withValue("general_parameters.results", [{ ...KD, id: "r", name: "R", type, unit, value }]);

describe("a number that cannot be negative", () => {
  it.each([
    ["Constant of dissociation KD", "nM"],
    ["Constant of association KA", "M^-1"],
    ["Half maximal effective concentration EC50", "µM"],
    ["Concentration", "mg/mL"],
    ["Association rate kOn", "M^-1 s^-1"],
    ["Dissociation rate kOff", "s^-1"],
    ["Molecular weight", "kDa"],
  ])("is refused below 0: %s", async (type, unit) => {
    const problem = [`${GENERAL}.results.0.value`, "TOO_SMALL", expect.stringMatching(/must be at least 0 .*\.$/)];
    expect(await problemsOf(result(-3, type, unit))).toEqual([problem]);
    expect(await problemsOf(result(0, type, unit))).toEqual([]);
  });

  it.each([
    ["Change in enthalpy deltaH", "kcal/mol"],
    ["Change in Gibbs free energy deltaG", "kJ/mol"],
    ["Change in entropy deltaS", "kJ/molK"],
    ["Hill coefficient", "unitless"],
  ])("is not meant: %s", async (type, unit) => {
    expect(await problemsOf(result(-12.5, type, unit))).toEqual([]);
  });

  const CONCENTRATION = "general_parameters.chemical_environments.0.solvent.0.concentration";
  it("may be -1 where that says that it is not known, and nothing else below 0", async () => {
    expect(await problemsOf(withValue(CONCENTRATION, { value: -1, unit: "mM" }))).toEqual([]);
    for (const value of [-0.25, -2]) {
      const message = "Concentration (Buffer 1; Solvent 1) must be at least 0 mM, or -1 if it is not known.";
      expect(await problemsOf(withValue(CONCENTRATION, { value, unit: "mM" }))).toEqual([
        [`metadata.${CONCENTRATION}.value`, "TOO_SMALL", message],
      ]);
    }
  });

  it("is a number first", async () => {
    expect(await problemsOf(withValue(CONCENTRATION, { value: "-1", unit: "mM" }))).toEqual([
      [`metadata.${CONCENTRATION}.value`, "WRONG_TYPE", expect.any(String)],
    ]);
  });
});

describe("a text that may not be empty", () => {
  it.each(["   ", "\t\n", "\u200b", "\u00a0\ufeff\u2060"])("may not be blank: %j", async (title) => {
    const field = `${GENERAL}.record_information.title`;
    const message = "Title must not be empty; the text has only spaces or invisible characters.";
    expect(await problemsOf(withValue("general_parameters.record_information.title", title))).toEqual([
      [field, "BLANK", message],
    ]);
  });

  it("has one problem where nothing stands in it, and may hold signs that are not seen among others", async () => {
    const empty = await problemsOf(withValue("general_parameters.record_information.title", ""));
    expect(empty.map(([, code]) => code)).toEqual(["TOO_SHORT"]);
    expect(await problemsOf(withValue("general_parameters.record_information.title", "\u200bA \u00ad"))).toEqual([]);
  });
});

describe("two parts with one id", () => {
  const named = { id: "one", name: "One" };
  it.each([
    ["mst", "general_parameters.entities_of_interest", "entity"],
    ["mst", "general_parameters.chemical_environments", "buffer"],
    ["mst", "method_specific_parameters.measurements", "one"],
    ["bli", "method_specific_parameters.sensors", "one"],
    ["bli", "method_specific_parameters.plates", "one"],
    ["spr", "method_specific_parameters.measurement_positions", "one"],
    ["spr", "method_specific_parameters.measurement_protocol", "one"],
  ] as const)("are one too many: %s, %s", async (model, place, id) => {
    const [first] = place
      .split(".")
      .reduce<Json>((at, step) => (at as JsonObject)[step]!, small(model)) as JsonObject[];
    const parts = withValue(place, [first!, { ...first!, name: "Another" }, first!], model);
    const problems = await problemsOf(parts, model);
    expect(problems).toEqual([
      [`metadata.${place}.1.id`, "REPEATED_ID", expect.stringContaining(`"${id}" is already the id of`)],
      [`metadata.${place}.2.id`, "REPEATED_ID", expect.stringMatching(/ 1; each id must be unique/)],
    ]);
  });

  it("are told by the names that the model gives them", async () => {
    const results = ["a", "a"].map((id) => ({ ...KD, ...named, id, value: 1 }));
    expect(await problemsOf(withValue("general_parameters.results", results))).toEqual([
      [
        `${GENERAL}.results.1.id`,
        "REPEATED_ID",
        'Id (Result 2): "a" is already the id of Result 1; each id must be unique, because other parts refer to it.',
      ],
    ]);
  });
});

describe("what is most likely wrong", () => {
  const warningsOf = async (metadata: JsonObject, model: Model = "mst") => {
    const { body, warnings, address } = await post(metadata, {}, model);
    expect(body.errors).toBeUndefined();
    expect((await bindery.validateRecord(alice, model, JSON.stringify({ metadata }))).warnings).toEqual(warnings);
    expect((await bindery.publishDraft(alice, address)).warnings).toEqual(warnings);
    return warnings.map(({ code, field, message }) => [code, field, message]);
  };

  it("is a technique of another model", async () => {
    const technique = "Surface plasmon resonance (SPR)";
    expect(await warningsOf(withValue("general_parameters.technique", technique, "bli"), "bli")).toEqual([
      [
        "UNEXPECTED_VALUE",
        `${GENERAL}.technique`,
        `Technique: "${technique}" belongs to another model; records of this model have ` +
          '"Bio-layer interferometry (BLI)".',
      ],
    ]);
  });

  it("is an ORCID iD whose digits do not fit", async () => {
    const person = { given_name: "Ada", family_name: "Lovelace" };
    const withId = (...identifiers: string[]) =>
      withValue("general_parameters.depositors.depositor", { ...person, identifiers });
    expect(await warningsOf(withId("orcid:0000-0002-1825-0097", "0000-0002-1825-0098"))).toEqual([]);
    const field = `${GENERAL}.depositors.depositor.identifiers.1`;
    expect(await warningsOf(withId("orcid:0000-0002-1825-0097", "orcid:0000-0002-1825-0098"))).toEqual([
      ["ORCID_WRONG", field, expect.stringContaining('"orcid:0000-0002-1825-0098" is not an ORCID iD')],
    ]);
  });

  it("is a measurement that begins after now, wherever on Earth it was made", async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const started = (day: string) => withValue("general_parameters.collection_start_time", day);
    expect(await warningsOf(started(at(0)))).toEqual([]);
    const later = at(2);
    const field = `${GENERAL}.collection_start_time`;
    expect(await warningsOf(started(later))).toEqual([
      ["DATE_IN_FUTURE", field, `Start of collection: ${later} is in the future.`],
    ]);
    bindery.forward(3 * 86_400_000_000);
    expect(await warningsOf(started(later))).toEqual([]);
    bindery.forward(-3 * 86_400_000_000);
  });
});

describe("a body that asks for what is not there", () => {
  const ASKING: readonly (readonly [JsonObject, string])[] = [
    [{ access: { record: "restricted" } }, "access.record"],
    [{ access: { record: "public", files: "restricted" } }, "access.files"],
    [{ access: { record: "public", embargo: { active: true, until: "2030-01-01" } } }, "access.embargo"],
    [{ access: { embargo: { until: "2030-01-01" } } }, "access.embargo"],
    [{ access: "restricted" }, "access"],
    [{ files: { enabled: true } }, "files.enabled"],
    [{ files: [{ key: "data.csv" }] }, "files"],
  ];
  it.each(ASKING)("is a draft with a problem, and is not published: %j", async (asking, field) => {
    const { body, address, warnings } = await post(small(), asking);
    expect(body.errors).toEqual([expect.objectContaining({ field, code: "NOT_OFFERED" })]);
    expect(warnings).toEqual([]);
    const validated = await bindery.validateRecord(alice, "mst", JSON.stringify({ metadata: small(), ...asking }));
    expect(validated.errors).toEqual(body.errors);
    const file = bindery.file("asking.json", JSON.stringify({ metadata: small(), ...asking }));
    expect(await bindery.validateFile({ model: "mst", file, onDocument: () => undefined })).toMatchObject({
      invalid: 1,
    });

    const refusal = await refusalOf(bindery.publishDraft(alice, address));
    expect([refusal.code, refusal.issues]).toEqual(["DRAFT_INVALID", body.errors]);
    // What asks for it again is refused again; what does not is what was wanted.
    await bindery.replaceDraft(alice, address, JSON.stringify({ metadata: small(), ...asking }));
    expect((await refusalOf(bindery.publishDraft(alice, address))).code).toBe("DRAFT_INVALID");
    await bindery.replaceDraft(alice, address, JSON.stringify({ metadata: small() }));
    await bindery.publishDraft(alice, address);
    expect(bodyOf({ record: await bindery.readRecord(ANONYMOUS, address), warnings: [] }).state).toBe("published");
  });

  it("is told of beside what else is wrong, also of a body without metadata", async () => {
    const asking = { access: { record: "restricted" }, files: { enabled: true } };
    const { record } = await bindery.createDraft(alice, "mst", JSON.stringify(asking));
    expect(bodyOf({ record, warnings: [] }).errors?.map(({ field, code }) => [field, code])).toEqual([
      ["metadata", "REQUIRED"],
      ["access.record", "NOT_OFFERED"],
      ["files.enabled", "NOT_OFFERED"],
    ]);
  });

  it.each([
    [{ files: { enabled: false } }],
    [{ files: {} }],
    [{ files: null }],
    [{ access: { record: "public" } }],
    [{ access: { record: "public", files: "public", embargo: { active: false, reason: null }, status: "open" } }],
    [{ access: {} }],
  ] satisfies [JsonObject][])("does not: %j", async (beside) => {
    const { body, warnings, address } = await post(small(), beside);
    expect([body.errors, warnings]).toEqual([undefined, []]);
    // What was read is sent back unchanged.
    const read = (await bindery.readDraft(alice, address)).json;
    expect(await bindery.replaceDraft(alice, address, read)).toMatchObject({ record: { revision: 1 }, warnings: [] });
    await bindery.publishDraft(alice, address);
  });

  it("is warned of a key of access that means nothing here", async () => {
    const { warnings } = await post(small(), { access: { visibility: "private" } });
    expect(warnings).toMatchObject([{ code: "UNKNOWN_KEY", field: "access.visibility", value: "private" }]);
  });

  it("keeps its problem where it is read and sent back with another mistake mended", async () => {
    const example = JSON.parse(
      readFileSync(new URL("../../../catalog/models/mst/example.json", import.meta.url), "utf8"),
    );
    const { address } = await post(example.metadata, { files: { enabled: true } });
    const read = JSON.parse((await bindery.readDraft(alice, address)).json) as JsonObject;
    // The body that is shown says what holds, so to send it back takes the wish away.
    expect(read.files).toEqual({ enabled: false });
    const { record } = await bindery.replaceDraft(alice, address, JSON.stringify(read));
    expect(bodyOf({ record, warnings: [] }).errors).toBeUndefined();
  });
});
