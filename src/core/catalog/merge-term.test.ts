import { describe, expect, it } from "vitest";
import type { TermContent, TermPatch } from "../term.js";
import { mergeTerm } from "./merge-term.js";

const VOCABULARY = { languages: ["en"], props: [] };

const OLD: TermContent = { id: "c:1", title: { en: "caffeine" }, props: {}, status: "active" };

const said = (manner: "join" | "fill", title: string, ...names: readonly string[]): TermPatch => ({
  ...{ id: "c:1", manner, title: { en: title } },
  synonyms: names.map((name) => ({ name, kind: "synonym" })),
});

function merge(old: TermContent, patch: TermPatch): TermContent {
  const merged = mergeTerm(VOCABULARY, old, patch);
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
    expect([filled.title, namesOf(filled)]).toEqual([{ en: "caffeine" }, ["theine"]]);
  });
});
