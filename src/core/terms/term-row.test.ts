import { describe, expect, it } from "vitest";
import type { Vocabulary } from "../catalog/types.js";
import type { TermContent } from "../term.js";
import { contentHash, readTermContent, staticRank, termJson, termRow, titleIn } from "./term-row.js";

const vocabulary = {
  name: "chemicals",
  languages: ["en", "cs"],
  prior: { synonyms: true, prop: "kind", order: ["element", "compound"] },
} as unknown as Vocabulary;

const water: TermContent = {
  id: "cid:962",
  title: { cs: "voda", en: "Water" },
  props: { kind: "compound", mass: 18 },
  synonyms: [{ name: "H2O", kind: "formula" }],
  parent: "cid:1",
  status: "deprecated",
  replaced_by: "cid:963",
};

const AGE = { revision: 3, created: 1_000_000, updated: 2_000_000 };

describe("termRow", () => {
  it("holds all that its content says", () => {
    const row = termRow(water, vocabulary, AGE);
    expect(readTermContent(row)).toEqual(water);
    const plain: TermContent = { id: "a", title: { en: "A" }, props: {}, status: "active" };
    expect(readTermContent(termRow(plain, vocabulary, AGE))).toEqual(plain);
  });

  it("is shown with the titles of its parent, its times and its version", () => {
    const shown = JSON.parse(termJson(termRow(water, vocabulary, AGE), "chemicals", '{"en":"Matter"}'));
    expect(shown).toMatchObject({
      id: "cid:962",
      type: "chemicals",
      title: water.title,
      props: water.props,
      revision_id: 3,
      parent: { id: "cid:1", title: { en: "Matter" } },
      status: "deprecated",
      replaced_by: "cid:963",
      created: "1970-01-01T00:00:01.000000+00:00",
      updated: "1970-01-01T00:00:02.000000+00:00",
    });
    expect(shown["@v"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}::3$/);
  });
});

it("ranks by status, by synonyms and the declared order of a prop, and by the length of the title", () => {
  expect(staticRank(water, vocabulary)).toEqual({ status: 1, prior: 2, length: 5 });
  expect(staticRank({ ...water, status: "active", props: { kind: "element" } }, vocabulary)).toMatchObject({
    status: 0,
    prior: 3,
  });
});

it("ranks by declared numbers and by that of synonyms: ten times as many count little more", () => {
  const counted = { ...vocabulary, prior: { numbers: ["mass"] } };
  const priorOf = (mass: number | string | null) => staticRank({ ...water, props: { mass } }, counted).prior;
  expect([priorOf(0), priorOf(1), priorOf(7), priorOf(1023)]).toEqual([0, 1, 3, 10]);
  expect([priorOf(null), priorOf("7"), priorOf(-2)]).toEqual([0, 0, 0]);
  const named = { ...vocabulary, prior: { numbers: ["synonyms"] } };
  expect(staticRank(water, named).prior).toBe(1);
});

it("digests equal contents equally, whatever the order of their keys", () => {
  const turned = { ...water, title: { en: "Water", cs: "voda" }, props: { mass: 18, kind: "compound" } };
  expect(contentHash(turned)).toEqual(contentHash(water));
  expect(contentHash({ ...water, props: { ...water.props, mass: 19 } })).not.toEqual(contentHash(water));
  expect(contentHash(water)).toHaveLength(12);
});

it("has a title in any language: the one asked for, a declared one, any", () => {
  expect(titleIn(water.title, "cs", vocabulary)).toBe("voda");
  expect(titleIn(water.title, "de", vocabulary)).toBe("Water");
  expect(titleIn({ fr: "eau" }, "de", vocabulary)).toBe("eau");
  expect(titleIn({}, "constructor", vocabulary)).toBe("");
});
