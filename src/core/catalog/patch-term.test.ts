import { describe, expect, it } from "vitest";
import type { TermContent, TermPatch } from "../term.js";
import { applyTermPatch, withoutRenaming } from "./patch-term.js";

const VOCABULARY = { languages: ["en"], props: [] };

const OLD: TermContent = { id: "c:1", title: { en: "caffeine" }, props: {}, status: "active" };

const said = (manner: "join" | "fill", title: string, ...names: readonly string[]): TermPatch => ({
  id: "c:1",
  manner,
  title: { en: title },
  synonyms: names.map((name) => ({ name, kind: "synonym" })),
});

function merge(old: TermContent, patch: TermPatch): TermContent {
  const merged = applyTermPatch(VOCABULARY, old, patch);
  if ("reason" in merged) throw new Error(merged.reason);
  return merged;
}

const namesOf = ({ synonyms = [] }: TermContent): readonly string[] => synonyms.map(({ name }) => name);

describe("an item that another source joins", () => {
  it("keeps its old title as a synonym where the source has it as one, and is the same when joined again", () => {
    const patch = said("join", "1,3,7-trimethylxanthine", "Caffeine", "guaranine");
    const joined = merge(OLD, patch);
    expect(joined.title).toEqual({ en: "1,3,7-trimethylxanthine" });
    expect(namesOf(joined)).toEqual(["Caffeine", "guaranine"]);
    expect(merge(joined, patch)).toEqual(joined);
  });

  it("has no synonym that is its title, nor one twice", () => {
    const filled = merge(
      { ...OLD, synonyms: [{ name: "theine", kind: "synonym" }] },
      said("fill", "x", "CAFFEINE", "Theine"),
    );
    expect([filled.title, namesOf(filled)]).toEqual([{ en: "caffeine" }, ["theine", "x"]]);
  });

  it.each([
    ["join", "1,3,7-trimethylxanthine", ["caffeine"]],
    ["join", "Caffeine", []],
    ["fill", "1,3,7-trimethylxanthine", ["1,3,7-trimethylxanthine"]],
    ["fill", "Caffeine", []],
  ] as const)("keeps each of two titles as a name of the item: %s %s", (manner, title, names) => {
    const patch = said(manner, title);
    const once = merge(OLD, patch);
    expect(namesOf(once)).toEqual(names);
    expect(merge(once, patch)).toEqual(once);
  });
});

describe("an item that is not renamed", () => {
  it.each([undefined, "join", "fill"] as const)("has the other title as a synonym, once: %s", (manner) => {
    const patch: TermPatch = { id: "c:1", title: { en: "Caffeine" }, ...(manner === undefined ? {} : { manner }) };
    const once = merge(OLD, withoutRenaming(OLD, patch, ["en"]));
    expect(once).toMatchObject({ title: { en: "caffeine" }, synonyms: [{ name: "Caffeine", kind: "title" }] });
    expect(merge(once, withoutRenaming(once, patch, ["en"]))).toEqual(once);
  });

  it("keeps the titles of the languages that are named only", () => {
    const old = { ...OLD, title: { en: "caffeine", de: "Koffein" } };
    const patch = { id: "c:1", title: { en: "Caffeine", de: "Coffein" }, synonyms: [{ name: "caffeine", kind: "x" }] };
    expect(merge(old, withoutRenaming(old, patch, ["de"]))).toMatchObject({
      title: { en: "Caffeine", de: "Koffein" },
      synonyms: [
        { name: "caffeine", kind: "x" },
        { name: "Coffein", kind: "title", lang: "de" },
      ],
    });
  });
});
