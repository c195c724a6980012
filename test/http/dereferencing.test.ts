import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import { chemical, polymer } from "../support/entities.js";
import { at, type ItemShape, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const GENERAL = "metadata.general_parameters";
let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  await importItems(bindery, "organisms", [
    { id: "taxid:91000001", title: { en: "Novum nomen" }, props: { rank: "species" } },
    { id: "taxid:91000002", title: { en: "Vetus nomen" }, status: "deprecated", replaced_by: "taxid:91000001" },
    { id: "taxid:91000003", title: { en: "Nomen dubium" }, props: { rank: "genus" }, status: "deprecated" },
  ]);
});
afterAll(() => bindery.dispose());

const withInstrument = (instrument: unknown) => recordWith(1, { instrument });
const item = async (vocabulary: string, id: string) =>
  (await bindery.client.get<ItemShape>(`/api/vocabularies/${vocabulary}/${id}`)).body;

/** The part of the record that cites an organism as its source. */
const serumOf = (id: string) => ({
  entities_of_interest: [
    polymer("s", "S", id),
    chemical("entity-serum", "Serum"),
    chemical("entity-assembly", "Assembly"),
  ],
});

describe("a cited term", () => {
  it("becomes exactly version, id, title and the declared fields", async () => {
    const draft = await deposit(alice.client, withInstrument({ id: "ins:2" }));
    const known = await item("instruments", "ins:2");
    expect(at(draft, `${GENERAL}.instrument`)).toEqual({
      "@v": known["@v"],
      id: "ins:2",
      title: known.title,
      manufacturer: known.props.manufacturer,
    });
    expect(draft.warnings).toBeUndefined();
  });

  it("overwrites what the depositor sent in its place, and carries the dropped values in warnings", async () => {
    const sent = {
      id: "ins:2",
      title: { en: "My own machine" },
      manufacturer: "Me",
      serial: "42",
      "@v": "00000000-0000-5000-8000-000000000000::99",
    };
    const draft = await deposit(alice.client, withInstrument(sent));
    const known = await item("instruments", "ins:2");
    expect(at(draft, `${GENERAL}.instrument`)).toEqual({
      "@v": known["@v"],
      id: "ins:2",
      title: known.title,
      manufacturer: known.props.manufacturer,
    });
    const said = new Map(draft.warnings!.map(({ field, value }) => [field, value]));
    expect(said.get(`${GENERAL}.instrument.title`) ?? said.get(`${GENERAL}.instrument.title.en`)).toBeDefined();
    expect(said.get(`${GENERAL}.instrument.manufacturer`)).toBe("Me");
    expect(said.get(`${GENERAL}.instrument.serial`)).toBe("42");
    expect(draft.errors).toBeUndefined();
  });

  it("says nothing of values that equal the fetched ones", async () => {
    const first = await deposit(alice.client, withInstrument({ id: "ins:2" }));
    const again = await deposit(alice.client, withInstrument(at(first, `${GENERAL}.instrument`)));
    expect(again.warnings).toBeUndefined();
  });

  it("is filled in at every depth, in arrays and in alternatives", async () => {
    const draft = await deposit(alice.client, makeRecord(7));
    const unfilled: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      const id = at(value, "id");
      if (typeof id === "string" && /^(ror|oa|ins|taxid|inchikey|cf):/.test(id) && at(value, "@v") === undefined) {
        unfilled.push(path);
      }
      for (const [key, child] of Object.entries(value)) visit(child, `${path}.${key}`);
    };
    visit(draft.metadata, "metadata");
    expect(unfilled).toEqual([]);
    const component = `${GENERAL}.entities_of_interest.1.components.0.source_organism`;
    expect(at(draft, `${component}.rank`)).toBeDefined();
    expect(at(draft, `${GENERAL}.chemical_environments.0.constituents.2.basic_information.chemical_formula`)).toMatch(
      /[A-Z]/,
    );
    expect(at(draft, `${GENERAL}.depositors.contributors.1.affiliations.0.country`)).toBeTypeOf("string");
  });
});

describe("an unknown id", () => {
  it("stays as sent, is named with the nearest terms, keeps the draft and stops the publish", async () => {
    const sent = { id: "ins:777", note: "ordered" };
    const draft = await deposit(alice.client, withInstrument(sent));
    expect(at(draft, `${GENERAL}.instrument`)).toEqual(sent);
    const issue = draft.errors!.find(({ field }) => field === `${GENERAL}.instrument.id`)!;
    expect(issue).toMatchObject({ pointer: "/metadata/general_parameters/instrument/id", value: "ins:777" });
    expect(issue.nearest!.length).toBeGreaterThan(0);
    expect(issue.nearest!.length).toBeLessThanOrEqual(5);
    const refused = await alice.client.post<Problem>(`/api/records/mst/${draft.id}/draft/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors!.map(({ field }) => field)).toContain(`${GENERAL}.instrument.id`);
  });

  it.each([
    ["taxid:5622", "taxid:562"],
    ["ror:02hpadn98", undefined],
  ])("%s is named with five terms, the nearest of them first", async (id, first) => {
    const cited = id.startsWith("ror:")
      ? { depositors: { depositor: { affiliations: [{ id }] } } }
      : { entities_of_interest: [{ type: "Polymer", source_organism: { id } }] };
    const draft = await deposit(alice.client, { metadata: { general_parameters: cited } });
    const { nearest = [] } = draft.errors!.find(({ value }) => value === id)!;
    expect(nearest).toHaveLength(5);
    if (first !== undefined) expect(nearest[0]).toMatchObject({ id: first });
  });

  it.each([
    ["Warfarin", "chemicals", "inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N"],
    ["warfarin", "chemicals", "inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N"],
    ["inchikey:Warfarin", "chemicals", "inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N"],
    ["HEPES", "chemicals", "inchikey:JKMHFZQWWAIEOD-UHFFFAOYSA-N"],
    ["E. coli", "organisms", "taxid:562"],
    ["Escherichia coli", "organisms", "taxid:562"],
    ["taxid:Escherichia coli", "organisms", "taxid:562"],
    ["human", "organisms", "taxid:9606"],
    ["Biacore T200", "instruments", "ins:36"],
    ["biacore t200", "instruments", "ins:36"],
    ["Biacore T200 (GE Healthcare)", "instruments", "ins:36"],
    ["Human (Homo sapiens)", "organisms", "taxid:9606"],
    ["MOSBRI", "grants", "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79"],
    [
      "MOlecular-Scale Biophysics Research Infrastructure",
      "grants",
      "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79",
    ],
    ["Charles University", "affiliations", "ror:024d6js02"],
    ["Univerzita Karlova", "affiliations", "ror:024d6js02"],
  ])(
    "that is the name %s names first the term of %s with this name, in drafts, checks and addresses",
    async (id, name, first) => {
      const chosen: Record<string, object> = {
        chemicals: { entities_of_interest: [{ type: "Chemical", basic_information: { id } }] },
        organisms: { entities_of_interest: [{ type: "Polymer", source_organism: { id } }] },
        instruments: { instrument: { id } },
        grants: { funding_references: [{ id }] },
        affiliations: { depositors: { depositor: { affiliations: [{ id }] } } },
      };
      const body = { metadata: { general_parameters: chosen[name]! } };
      const draft = await deposit(alice.client, body);
      const checked = await alice.client.post<{ errors: RecordShape["errors"] }>(
        "/api/records/mst/?validate=only",
        body,
      );
      for (const errors of [draft.errors, checked.body.errors]) {
        const issue = errors!.find(({ value }) => value === id)!;
        expect(issue.nearest?.[0]).toMatchObject({ id: first });
        expect(issue.messages[0]).toContain(first);
      }
      const missing = await alice.client.get<Problem>(`/api/vocabularies/${name}/${encodeURIComponent(id)}`);
      expect(missing.body).toMatchObject({ code: "TERM_NOT_FOUND" });
      expect(missing.body.errors![0]!.nearest![0]).toBe(first);
    },
  );

  it("is named once per place", async () => {
    const funding = [{ id: "oa:none" }, { id: "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79" }, { id: "oa:none" }];
    const draft = await deposit(alice.client, recordWith(2, { funding_references: funding }));
    const places = draft.errors!.map(({ field }) => field).filter((field) => field.includes("funding_references"));
    expect(places).toEqual([`${GENERAL}.funding_references.0.id`, `${GENERAL}.funding_references.2.id`]);
    expect(at(draft, `${GENERAL}.funding_references.1.grant_id`)).toBe("101004806");
  });

  it.each([["a text"], [17], [[]], [{ id: 5 }], [{ id: null }], [{ id: "" }], [{}], [null]])(
    "or something that is no citation is kept and named: %j",
    async (instrument) => {
      const draft = await deposit(alice.client, withInstrument(instrument));
      expect(at(draft, `${GENERAL}.instrument`)).toEqual(instrument);
      expect(draft.errors!.some(({ field }) => field.startsWith(`${GENERAL}.instrument`))).toBe(true);
    },
  );
});

describe("an id that was replaced", () => {
  it("becomes its successor, with a warning that carries the old one", async () => {
    const draft = await deposit(alice.client, recordWith(3, serumOf("taxid:91000002")));
    const place = `${GENERAL}.entities_of_interest.0.source_organism`;
    expect(at(draft, place)).toMatchObject({ id: "taxid:91000001", title: { en: "Novum nomen" }, rank: "species" });
    const warning = draft.warnings!.find(({ code }) => code === "TERM_REPLACED")!;
    expect(warning.field).toMatch(new RegExp(`^${place.replaceAll(".", "\\.")}(\\.id)?$`));
    expect(warning.value ?? warning.message).toContain("taxid:91000002");
  });

  it("answers 301 to its successor", async () => {
    const answer = await bindery.client.get("/api/vocabularies/organisms/taxid:91000002");
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe(`${bindery.url}/api/vocabularies/organisms/taxid:91000001`);
  });
});

it("cites a deprecated term without a successor, with a warning, and publishes it", async () => {
  const record = recordWith(4, serumOf("taxid:91000003"));
  const draft = await deposit(alice.client, record);
  expect(draft.errors).toBeUndefined();
  expect(draft.warnings!.map(({ code }) => code)).toContain("TERM_DEPRECATED");
  await publish(alice.client, record);
});

describe("a reference inside the record", () => {
  const entity = `${GENERAL}.results.0.entities_involved.0.entity`;

  it("gets the name of what it refers to", async () => {
    const draft = await deposit(alice.client, makeRecord(8));
    const serum = at(draft, `${GENERAL}.entities_of_interest.0`);
    expect(at(draft, entity)).toEqual({ id: "entity-serum", name: at(serum, "name") });
    expect(at(draft, "metadata.method_specific_parameters.measurements.0.sample.chemical_environment.name")).toBe(
      at(draft, `${GENERAL}.chemical_environments.0.name`),
    );
  });

  it("to nothing is an error at its place", async () => {
    const [buffer] = at(makeRecord(9), `${GENERAL}.chemical_environments`) as JsonObject[];
    const elsewhere = await deposit(alice.client, recordWith(9, { chemical_environments: [{ ...buffer, id: "b" }] }));
    const place = "metadata.method_specific_parameters.measurements.0.sample.chemical_environment.id";
    expect(elsewhere.errors).toContainEqual(expect.objectContaining({ field: place, code: "REFERENCE_DANGLING" }));
    const nowhere = await deposit(alice.client, recordWith(9, { chemical_environments: [] }));
    const only = { field: `${GENERAL}.chemical_environments`, code: "TOO_FEW_ITEMS" };
    expect(nowhere.errors).toEqual([expect.objectContaining(only)]);
  });
});

describe("a term that changes", () => {
  const id = "taxid:91000010";
  const place = `${GENERAL}.entities_of_interest.0.source_organism`;

  it("keeps its version over an import that changes nothing, and raises it with its body", async () => {
    const content = { id, title: { en: "Mutabile primum" }, props: { rank: "species" } };
    await importItems(bindery, "organisms", [content]);
    const first = await item("organisms", id);
    await importItems(bindery, "organisms", [content]);
    expect(await item("organisms", id)).toEqual(first);

    const draft = await deposit(alice.client, recordWith(10, serumOf(id)));
    await importItems(bindery, "organisms", [{ ...content, title: { en: "Mutabile secundum" } }]);
    const second = await item("organisms", id);
    expect(second.revision_id).toBe(2);
    expect(second["@v"]).toBe(first["@v"].replace("::1", "::2"));
    expect(second.created).toBe(first.created);

    const stored = await alice.client.get<RecordShape>(`/api/records/mst/${draft.id}/draft`);
    expect(at(stored.body, `${place}.title.en`)).toBe("Mutabile primum");
    const done = await alice.client.post<RecordShape>(`/api/records/mst/${draft.id}/draft/actions/publish`);
    expect(at(done.body, place)).toMatchObject({ "@v": second["@v"], title: { en: "Mutabile secundum" } });
    const found = await bindery.client.get<SearchBody>("/api/search/?q=secundum");
    expect(found.body.hits.total).toBe(1);
    expect((await bindery.client.get<SearchBody>("/api/search/?q=primum")).body.hits.total).toBe(0);
  });
});

it("finds a record by the title, a synonym and the id of what it cites", async () => {
  const record = recordWith(11, serumOf("taxid:9606"));
  const { id } = await publish(alice.client, record);
  const human = await item("organisms", "taxid:9606");
  const synonym = String(at(human, "synonyms.0.name"));
  for (const q of ['"Homo sapiens"', `"${synonym}"`, "taxid:9606", 'organism:"taxid:9606"', "organism:sapiens"]) {
    const { body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/records/mst/?q=${encodeURIComponent(q)}`);
    expect(
      body.hits.hits.map((hit) => hit.id),
      q,
    ).toContain(id);
  }
});
