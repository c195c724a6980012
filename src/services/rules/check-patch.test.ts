import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { applyTermPatch } from "../../core/catalog/patch-term.js";
import type { TermContent } from "../../core/term.js";
import { checkPatch } from "./check-patch.js";
import { checkTerm } from "./check-term.js";

const ORGANISMS = builtInCatalog().vocabularies.get("organisms")!;

const COLI: TermContent = {
  id: "taxid:562",
  title: { en: "Escherichia coli" },
  props: { rank: "species" },
  synonyms: [{ name: "E. coli", kind: "abbreviation" }],
  parent: "taxid:561",
  status: "active",
};
const id = COLI.id;

const over = (line: object, old: TermContent | undefined = COLI): TermContent | { readonly reason: string } => {
  const { patch, reasons } = checkPatch(ORGANISMS, { id, ...line });
  if (patch === undefined) return { reason: reasons.join("; ") };
  return applyTermPatch(ORGANISMS, old, patch);
};
const left = (...fields: (keyof TermContent)[]): Partial<TermContent> => {
  const entries = Object.entries(COLI).filter(([field]) => !fields.includes(field as keyof TermContent));
  return Object.fromEntries(entries) as Partial<TermContent>;
};

describe("a line over an item that is there", () => {
  it.each<[string, object, Partial<TermContent>]>([
    ["says nothing but its id", {}, {}],
    ["has another title", { title: "E. c." }, { title: { en: "E. c." } }],
    [
      "has a title in one more language",
      { title: { de: "Kolibakterium" } },
      {
        title: { en: "Escherichia coli", de: "Kolibakterium" },
      },
    ],
    ["has a prop in props", { props: { rank: "strain" } }, { props: { rank: "strain" } }],
    ["has a prop beside the others", { rank: "strain" }, { props: { rank: "strain" } }],
    ["names no prop", { props: {} }, {}],
    ["has other synonyms", { synonyms: ["Coli"] }, { synonyms: [{ name: "Coli", kind: "synonym" }] }],
    ["has another parent", { parent: "taxid:2" }, { parent: "taxid:2" }],
    ["has a successor", { replaced_by: "taxid:9" }, { replaced_by: "taxid:9", status: "deprecated" }],
    ["is deprecated", { status: "deprecated" }, { status: "deprecated" }],
  ])("keeps what it does not speak of: it %s", (_, line, changed) => {
    expect(over(line)).toEqual({ ...COLI, ...changed });
  });

  it.each([[null], [""], [[]], [{}]])("takes a field away with the empty value %j", (empty) => {
    expect(over({ parent: empty })).toEqual(left("parent"));
    expect(over({ synonyms: empty })).toEqual(left("synonyms"));
    expect(over({ props: { rank: empty } })).toEqual({ ...COLI, props: {} });
    expect(over({ rank: empty })).toEqual({ ...COLI, props: {} });
    const replaced = { ...COLI, status: "deprecated", replaced_by: "taxid:9" } as const;
    expect(over({ replaced_by: empty }, replaced)).toEqual({ ...COLI, status: "deprecated" });
    expect(over({ replaced_by: empty, status: empty }, replaced)).toEqual(COLI);
  });

  it("takes a language away, but not the last one", () => {
    const two = { ...COLI, title: { en: "Escherichia coli", de: "Kolibakterium" } };
    expect(over({ title: { de: null } }, two)).toEqual(COLI);
    expect(over({ title: { en: "" } })).toEqual({ reason: 'the last text of "title" cannot be removed' });
    for (const empty of [null, "", [], {}]) expect(over({ title: empty })).toHaveProperty("reason");
  });

  it("is refused where the result is no item", () => {
    const replaced = { ...COLI, status: "deprecated", replaced_by: "taxid:9" } as const;
    expect(over({ status: "active" }, replaced)).toHaveProperty(
      "reason",
      expect.stringContaining('"replaced_by": null'),
    );
    expect(over({ parent: 7 })).toHaveProperty("reason");
    expect(over({ tilte: "x" })).toHaveProperty("reason", expect.stringContaining('did you mean "title"'));
    expect(over({ title: { English: null } })).toHaveProperty("reason", '"English" in "title" is not a language tag');
  });
});

describe("a line of a new item", () => {
  it.each([
    {},
    { title: "E. coli" },
    { title: { en: "E. coli", de: null } },
    { title: { en: null } },
    { title: undefined },
    { props: { rank: null } },
    { props: {}, rank: "genus" },
    { props: { rank: "" }, synonyms: [], parent: null },
    { synonyms: ["Bacterium coli", { name: "B. coli", kind: "acronym" }] },
    { synonyms: {}, status: "", replaced_by: [] },
    { status: "deprecated" },
    { status: null, replaced_by: "taxid:9" },
    { confirmed: false },
    { confirmed: false, status: "deprecated", replaced_by: "taxid:9" },
  ])("says which item it makes alone: %j", (said) => {
    const { patch, alone } = checkPatch(ORGANISMS, { ...COLI, ...said });
    const made = applyTermPatch(ORGANISMS, undefined, patch!);
    if ("reason" in made) expect(alone).toBeUndefined();
    else expect(JSON.stringify(alone)).toBe(JSON.stringify(made));
  });

  it("makes what the whole line makes", () => {
    const { content } = checkTerm(ORGANISMS, COLI);
    expect(applyTermPatch(ORGANISMS, undefined, checkPatch(ORGANISMS, COLI).patch!)).toEqual(content);
  });

  it("needs a title", () => {
    expect(applyTermPatch(ORGANISMS, undefined, checkPatch(ORGANISMS, { id }).patch!)).toEqual({
      reason: 'a new term needs a "title"',
    });
  });
});
