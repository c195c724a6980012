import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { CITED_AFFILIATIONS, REAL_MODELS, realRecord } from "../../../test/support/real-data.js";
import type { Actor } from "../../core/actor.js";
import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";

const GENERAL = "metadata.general_parameters";
const GRANT = "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79";
let bindery: OpenServices;
let alice: Actor;

beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
  await load("organisms", [
    { id: "taxid:91000001", title: { en: "Novum nomen" }, props: { rank: "species" } },
    { id: "taxid:91000002", title: { en: "Vetus nomen" }, status: "deprecated", replaced_by: "taxid:91000001" },
    { id: "taxid:91000003", title: { en: "Nomen dubium" }, props: { rank: "genus" }, status: "deprecated" },
  ]);
});
afterAll(() => bindery.dispose());

async function load(vocabulary: string, items: readonly JsonObject[]): Promise<void> {
  const file = bindery.file("items.ndjson", items.map((item) => JSON.stringify(item)).join("\n"));
  expect((await bindery.importTerms({ vocabulary, file, skipRefused: false })).refused).toEqual([]);
}

/** A draft with these general parameters; what it says of missing fields is left out. */
async function deposit(general: JsonObject) {
  const answer = await bindery.createDraft(alice, "mst", JSON.stringify({ metadata: { general_parameters: general } }));
  const body = bodyOf(answer);
  const issues = (body.errors ?? []).filter(({ code }) => code !== "REQUIRED");
  return { general: body.metadata.general_parameters as JsonObject, issues, warnings: answer.warnings, body };
}

const itemOf = async (vocabulary: string, id: string) => {
  const found = await bindery.readTerm(vocabulary, id);
  if (found.kind !== "found") throw new Error(`${id} is not there`);
  return JSON.parse(found.term.json) as JsonObject & { props: JsonObject };
};

describe("a cited term", () => {
  it("becomes version, id, title and the declared fields, in this order", async () => {
    const { general, issues, warnings } = await deposit({ funding_references: [{ id: GRANT }] });
    const [grant] = general.funding_references as JsonObject[];
    expect(Object.keys(grant!)).toEqual(["@v", "id", "title", "funder_name", "grant_id"]);
    expect(grant).toEqual({
      "@v": expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}::1$/),
      id: GRANT,
      title: { en: "MOlecular-Scale Biophysics Research Infrastructure" },
      funder_name: "European Commission",
      grant_id: "101004806",
    });
    expect([...issues, ...warnings]).toEqual([]);
  });

  it("wins over what was sent, which stands in the warnings; equal values warn nothing", async () => {
    const known = await itemOf("instruments", "ins:2");
    const instrument = {
      "@v": "x::99",
      title: { en: "Mine" },
      id: "ins:2",
      manufacturer: known.props.manufacturer!,
      serial: [42],
    };
    const { general, warnings } = await deposit({ instrument });
    const { manufacturer } = known.props;
    expect(general.instrument).toEqual({ "@v": known["@v"], id: "ins:2", title: known.title, manufacturer });
    expect(warnings).toMatchObject([
      { code: "TERM_FIELD_REPLACED", field: `${GENERAL}.instrument.title`, value: { en: "Mine" } },
      { code: "TERM_FIELD_REPLACED", field: `${GENERAL}.instrument.serial`, value: [42] },
    ]);
    const again = await deposit({ instrument: general.instrument! });
    expect(again.warnings).toEqual([]);
    expect(again.general).toEqual(general);
  });

  it("keeps keys that objects have anyway in the warnings", async () => {
    const { general, warnings } = await deposit(
      JSON.parse('{"instrument": {"id": "ins:2", "__proto__": {"a": 1}, "constructor": 1}}') as JsonObject,
    );
    expect(Object.keys(general.instrument as JsonObject)).toEqual(["@v", "id", "title", "manufacturer"]);
    expect(warnings.map(({ value }) => value)).toEqual([{ a: 1 }, 1]);
  });

  it("that was replaced becomes its successor, and one without successor may be cited", async () => {
    const of = (id: string): JsonObject => ({ id, type: "Polymer", name: "x" });
    const { general, warnings, issues } = await deposit({
      entities_of_interest: [
        { ...of("a"), source_organism: { id: "taxid:91000002" } },
        { ...of("b"), source_organism: { id: "taxid:91000003" } },
      ],
    });
    expect(general.entities_of_interest).toMatchObject([
      { source_organism: { id: "taxid:91000001", title: { en: "Novum nomen" }, rank: "species" } },
      { source_organism: { id: "taxid:91000003", title: { en: "Nomen dubium" }, rank: "genus" } },
    ]);
    const place = `${GENERAL}.entities_of_interest`;
    expect(warnings).toMatchObject([
      { code: "TERM_REPLACED", field: `${place}.0.source_organism.id`, value: "taxid:91000002" },
      { code: "TERM_DEPRECATED", field: `${place}.1.source_organism.id`, value: "taxid:91000003" },
    ]);
    expect(issues).toEqual([]);
  });

  it("is filled in afresh when the draft is published", async () => {
    await load("instruments", [{ id: "ins:9001", title: { en: "First name" }, props: { manufacturer: "M" } }]);
    const { general, body: draft } = await deposit({ instrument: { id: "ins:9001" } });
    await load("instruments", [{ id: "ins:9001", title: { en: "Second name" }, props: { manufacturer: "M" } }]);
    const again = await bindery.replaceDraft(alice, { model: "mst", id: draft.id }, JSON.stringify(draft));
    const instrument = (bodyOf(again).metadata.general_parameters as JsonObject).instrument as JsonObject;
    expect(instrument.title).toEqual({ en: "Second name" });
    expect(instrument["@v"]).toBe(((general.instrument as JsonObject)["@v"] as string).replace(/1$/, "2"));
    expect(again.record.revision).toBe(2);
    expect(again.warnings).toMatchObject([{ code: "TERM_FIELD_REPLACED", value: { en: "First name" } }]);
  });
});

describe("an id that no vocabulary has", () => {
  it("leaves its element as sent and is named with the nearest terms", async () => {
    const instrument = { id: "ins:777", note: "ordered", "@v": "mine" };
    const { general, issues } = await deposit({ instrument });
    expect(general.instrument).toEqual(instrument);
    const issue = issues.find(({ code }) => code === "TERM_UNKNOWN")!;
    expect(issue).toMatchObject({
      field: `${GENERAL}.instrument.id`,
      pointer: "/metadata/general_parameters/instrument/id",
      value: "ins:777",
    });
    expect(issue.nearest!.length).toBeGreaterThan(0);
    expect(issue.nearest!.length).toBeLessThanOrEqual(5);
  });

  it("is named once at each place, at most 1,000 times", async () => {
    const funding = Array.from({ length: 2_000 }, (_, i) => ({ id: `oa:none${i % 1_000}` }));
    const before = process.cpuUsage();
    const { issues } = await deposit({ funding_references: funding });
    const places = issues.filter(({ code }) => code === "TERM_UNKNOWN").map(({ pointer }) => pointer);
    const listed = funding.slice(0, LIMITS.issuesMax);
    expect(places).toEqual(listed.map((_, i) => `/metadata/general_parameters/funding_references/${i}/id`));
    expect(issues.at(-1)?.code).toBe("MORE_PROBLEMS");
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it("is no problem in a field of another alternative than the chosen one, which is only kept", async () => {
    const entity = (type: string) => ({ id: type, name: "x", type, source_organism: { id: "taxid:none" } });
    const { issues, warnings } = await deposit({ entities_of_interest: [entity("Polymer"), entity("Chemical")] });
    const place = `${GENERAL}.entities_of_interest`;
    expect(issues).toMatchObject([{ code: "TERM_UNKNOWN", field: `${place}.0.source_organism.id` }]);
    expect(issues[0]!.messages[0]).toMatch(/^.+ \(Molecule 1\): the vocabulary organisms has no term "taxid:none"/);
    expect(warnings).toMatchObject([{ code: "UNKNOWN_FIELD", field: `${place}.1.source_organism` }]);
  });

  it("may be longer than any id", async () => {
    const { issues } = await deposit({ instrument: { id: "i".repeat(100_000) } });
    expect(issues.some(({ field }) => field === `${GENERAL}.instrument.id`)).toBe(true);
  });
});

describe("the example records of MBDB", () => {
  it.each(REAL_MODELS)(
    "of %s are kept with the unknown ids named, and published once these are known",
    async (model) => {
      const fresh = await openServices();
      try {
        const max = await fresh.actor("max", "records:write");
        const draft = bodyOf(await fresh.createDraft(max, model, JSON.stringify(realRecord(model))));
        const unknown = draft.errors!.filter(({ code }) => code === "TERM_UNKNOWN");
        expect(draft.errors).toEqual(unknown);
        expect(new Set(unknown.map(({ value }) => value))).toEqual(new Set(CITED_AFFILIATIONS));

        const added = CITED_AFFILIATIONS.map((id) => JSON.stringify({ id, title: { en: `Added ${id}` } }));
        const file = fresh.file("added.ndjson", added.join("\n"));
        expect(await fresh.importTerms({ vocabulary: "affiliations", file, skipRefused: false })).toMatchObject({
          new: 2,
        });
        const record = bodyOf(await fresh.publishDraft(max, { model, id: draft.id }));
        const grants = (record.metadata.general_parameters as JsonObject).funding_references as JsonObject[];
        for (const grant of grants) {
          expect(Object.keys(grant).sort()).toEqual(["@v", "funder_name", "grant_id", "id", "title"]);
        }
        expect(JSON.stringify(record.metadata)).toContain('"title":{"en":"Added ror:05gq02987"}');
      } finally {
        await fresh.dispose();
      }
    },
  );

  it("lose nothing but what terms overwrite", async () => {
    const { metadata } = realRecord("itc");
    const draft = bodyOf(await bindery.createDraft(alice, "itc", JSON.stringify({ metadata })));
    expect(draft.metadata).toMatchObject(metadata);
    const refusal = await refusalOf(bindery.publishDraft(alice, { model: "itc", id: draft.id }));
    expect(refusal.issues).toEqual(draft.errors);
  });
});
