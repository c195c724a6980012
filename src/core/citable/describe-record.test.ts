import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { RECORD_FORMATS } from "../../formats/records/formats.js";
import type { JsonObject } from "../json.js";
import type { RecordBody } from "../record.js";
import type { Citable } from "./citable.js";
import { describeRecord } from "./describe-record.js";

function described(general: JsonObject, created = "2026-03-05T10:00:00.000000+00:00"): Citable {
  const body = {
    ...{ id: "abcde-12345", model: "mst", created, updated: created, revision_id: 1, state: "published" },
    parent: { id: "fghjk-12345" },
    versions: { index: 1, is_latest: true, is_latest_draft: false },
    metadata: { general_parameters: general },
  };
  return describeRecord(body as unknown as RecordBody, builtInCatalog().models.get("mst")!);
}

const person = (family_name: string, given_name: string, ...identifiers: string[]): JsonObject => ({
  ...{ family_name, given_name },
  ...(identifiers.length === 0 ? {} : { identifiers }),
});

describe("people", () => {
  const named = (depositors: JsonObject): readonly string[] => described({ depositors }).people.map(({ name }) => name);

  it("come in the order of authors: contact, depositor, contributors", () => {
    const depositors = {
      depositor: person("B", "b"),
      principal_contact: person("A", "a"),
      contributors: [person("D", "d"), person("C", "c")],
    };
    expect(named(depositors)).toEqual(["A, a", "B, b", "D, d", "C, c"]);
  });

  it("are one where the name is equal and no ORCID iD differs, with what both mentions say", () => {
    const orcid = "orcid:0000-0002-1825-0097";
    const affiliations = [{ id: "ror:05gq02987", title: { en: "Brown University" } }];
    const people = described({
      depositors: {
        depositor: { ...person("Carberry", "Josiah", orcid) },
        principal_contact: { ...person("carberry", " JOSIAH"), affiliations },
        contributors: [person("Carberry", "Josiah", "orcid:0000-0001-5109-3700")],
      },
    }).people;
    expect(people.map(({ name, orcid: id }) => [name, id])).toEqual([
      ["carberry, JOSIAH", "0000-0002-1825-0097"],
      ["Carberry, Josiah", "0000-0001-5109-3700"],
    ]);
    expect(people[0]?.affiliations).toEqual([{ name: "Brown University", ror: "05gq02987" }]);
  });

  it("have no ORCID iD whose check digit is wrong", () => {
    const [only] = described({ depositors: { depositor: person("A", "a", "orcid:0000-0002-1825-0098") } }).people;
    expect(only).toEqual({ name: "A, a", familyName: "A", givenName: "a", identifiers: [], affiliations: [] });
  });
});

describe("many people", () => {
  const peopleIn = (contributors: readonly JsonObject[]) =>
    described({ depositors: { contributors: [...contributors] } }).people;

  it("are joined as if each mention were compared with all people before it", () => {
    const names = fc.constantFrom("Ann", "ann ", "Bo", "Cy");
    const orcids = fc.constantFrom("orcid:0000-0002-1825-0097", "orcid:0000-0001-5109-3700", undefined);
    const mention = fc.record({ name: names, orcid: orcids, place: fc.constantFrom("X", "Y", undefined) });
    fc.assert(
      fc.property(fc.array(mention, { maxLength: 8 }), (mentions) => {
        const contributors = mentions.map(({ name, orcid, place }) => ({
          ...person(name, "n", ...(orcid === undefined ? [] : [orcid])),
          ...(place === undefined ? {} : { affiliations: [place] }),
        }));
        const compared: { name: string; orcid: string | undefined; places: string[] }[] = [];
        for (const { name, orcid, place } of mentions) {
          const plain = name.trim().toLowerCase();
          const known = compared.find((one) =>
            one.orcid !== undefined && orcid !== undefined ? one.orcid === orcid : one.name === plain,
          );
          const places = place === undefined ? [] : [place];
          if (known === undefined) compared.push({ name: plain, orcid, places });
          else {
            known.orcid ??= orcid;
            known.places = [...new Set([...known.places, ...places])];
          }
        }
        const people = peopleIn(contributors).map(({ name, orcid, affiliations }) => ({
          name: name.replace(/ *, n$/, "").toLowerCase(),
          orcid: orcid === undefined ? undefined : `orcid:${orcid}`,
          places: affiliations.map((each) => each.name),
        }));
        expect(people).toEqual(compared);
      }),
    );
  });

  it("take no time that grows with the square of their number", () => {
    const different = Array.from({ length: 10_000 }, (_, i) => person(`Doe ${i}`, "Jo"));
    expect(peopleIn(different)).toHaveLength(10_000);
    const same = Array.from({ length: 6_000 }, (_, i) => ({ ...person("Doe", "Jo"), affiliations: [`Place ${i}`] }));
    expect(peopleIn(same).map(({ affiliations }) => affiliations.length)).toEqual([6_000]);
  });
});

it("cites an embargoed record by the year in which the embargo ends", () => {
  const information = { access_rights: "embargoed", date_available: "2028-01-01" };
  expect(described({ record_information: information }).year).toBe(2028);
  expect(described({ record_information: { ...information, access_rights: "open" } }).year).toBe(2026);
});

it.each([
  ["embargoed", "2028-01-01", "2028-01-01", 2028],
  ["embargoed", "2028-01-01T00:00:00+00:00", "2028-01-01", 2028],
  ["embargoed", "2028-01", "2028-01", 2028],
  ["embargoed", "2028", "2028", 2028],
  ["embargoed", "soon", "2026-03-05T10:00:00.000000+00:00", 2026],
  ["embargoed", "", "2026-03-05T10:00:00.000000+00:00", 2026],
  ["open", "2028-01-01", "2026-03-05T10:00:00.000000+00:00", 2026],
])("gives an %s record that is available on %s one date", (access_rights, date_available, issued, year) => {
  const record = described({ record_information: { access_rights, date_available } });
  expect([record.issued, record.year]).toEqual([issued, year]);
  const site = { url: "https://data.example.org" };
  for (const { name, write } of RECORD_FORMATS.filter((each) => !/^(linkset|results)/.test(each.name))) {
    // A date of the last change is no year of publication.
    const written = write(record, site).replaceAll(
      /"dateModified":"[^"]*"|\{"date":"[^"]*","dateType":"(?:Updated)"\}|<date dateType="Updated">[^<]*/g,
      "",
    );
    expect(written, name).toContain(String(year));
    if (year === 2028) expect(written, name).not.toContain("2026");
  }
});

it("says what was measured in sentences", () => {
  const entity = (name: string) => ({ entity: { id: name, name }, copy_number: 1 });
  const results = Array.from({ length: 7 }, (_, i) => ({
    ...{ id: `r${i}`, name: "x", type: "Constant of dissociation KD", value: 8.6 + i, unit: "mM" },
    entities_involved: [entity("Lysozyme"), entity("Biotin")],
  }));
  results[0] = { ...results[0]!, ...{ value_error: { lower: 0.1, upper: 0.3, is_relative: false } } };
  const { summary } = described({
    technique: "MST",
    entities_of_interest: [{ name: "Lysozyme" }, { name: "Biotin" }, { name: "C" }, { name: "D" }],
    chemical_environments: [{ name: "PBS", ph: 7.4 }],
    results,
  });
  expect(summary).toMatch(/^MST of Lysozyme, Biotin, C and 1 more in PBS\. /);
  expect(summary).toContain("Dissociation constant KD of Lysozyme and Biotin: 8.6 (−0.1, +0.3) mM; ");
  expect(summary).toMatch(/; 2 more results\. pH 7\.4\.$/);
});

it("describes a record that says nothing", () => {
  expect(described({})).toMatchObject({ title: "abcde-12345", people: [], summary: "", results: [], subjects: [] });
});

it("takes values of any type as they come", () => {
  const odd = { title: 7, license: "CC0", access_rights: ["open"] } as unknown as JsonObject;
  const record = described({ record_information: odd, results: "none", depositors: ["Ada Lovelace", 3, null] });
  expect(record).toMatchObject({ title: "7", license: { name: "CC0" }, access: "open", results: [], people: [] });
});
