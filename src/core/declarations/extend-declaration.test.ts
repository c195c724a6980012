import { describe, expect, it } from "vitest";
import { type Declaration, formatProblem, Problems, parseYamlDeclaration } from "./declaration.js";
import { type ExtendedDeclaration, extendDeclaration } from "./extend-declaration.js";

const BASE = `fields:
  title: { path: metadata.title, weight: title }
  year: { path: metadata.year, facet: Year }
  amount:
    path: [metadata.a]
    quantity: [molarity]
expected: { metadata.kind: X }
`;

interface Outcome {
  readonly extended: ExtendedDeclaration;
  /** What the merged declaration says. */
  readonly value: Record<string, Record<string, unknown>>;
  /** Every mistake as it is printed. */
  readonly printed: readonly string[];
}

/** Extends `files[name]`; a name with a slash is a declaration of a later folder: `later/base`. */
function extend(name: string, files: Readonly<Record<string, string>>): Outcome {
  const problems = new Problems();
  const parsed = Object.entries(files).map(
    ([file, text]) => [file, parseYamlDeclaration(file, text, problems)!] as const,
  );
  const layers = (wanted: string): readonly Declaration[] =>
    parsed.filter(([file]) => file === wanted || file === `later/${wanted}`).map(([, declaration]) => declaration);
  const extended = extendDeclaration(
    name.replace("later/", ""),
    parsed.find(([file]) => file === name)![1],
    {
      names: () => [...new Set(parsed.map(([file]) => file.replace("later/", "")))],
      find: (wanted, from) => {
        const found = layers(wanted);
        return found.includes(from) ? found[found.indexOf(from) - 1] : found.at(-1);
      },
    },
    problems,
  );
  return { extended, value: extended.value as Outcome["value"], printed: problems.list.map(formatProblem) };
}

describe("a declaration that extends a base", () => {
  it("has what the base says, and its own keys beside it, in this order", () => {
    const { value, printed } = extend("own", { base: BASE, own: "name: own\nextends: base\nfields:\n  ph: {path: p}" });
    expect(printed).toEqual([]);
    expect(Object.keys(value.fields!)).toEqual(["title", "year", "amount", "ph"]);
    expect(value).toMatchObject({ name: "own", expected: { "metadata.kind": "X" } });
  });

  it("merges maps key by key, replaces all else whole, and removes by null", () => {
    const own = "extends: base\nfields:\n  amount: { quantity: [mass] }\n  year: { facet: null }\n  title: null";
    const { value, printed } = extend("own", { base: BASE, own });
    expect(printed).toEqual([]);
    expect(value.fields).toEqual({
      year: { path: "metadata.year" },
      amount: { path: ["metadata.a"], quantity: ["mass"] },
    });
  });

  it("keeps the fields of its base where it begins a map and says nothing in it", () => {
    expect(Object.keys(extend("own", { base: BASE, own: "extends: base\nfields:\n" }).value.fields!)).toHaveLength(3);
  });

  it("places a field after another, several in their own order", () => {
    const own =
      "extends: base\nfields:\n  b: { path: b, after: title }\n  c: { path: c, after: title }\n  d: { path: d }";
    const { value } = extend("own", { base: BASE, own });
    expect(Object.keys(value.fields!)).toEqual(["title", "b", "c", "year", "amount", "d"]);
    expect(value.fields!.b).toEqual({ path: "b" });
  });

  it("does not inherit a name", () => {
    expect(extend("own", { base: "name: base\ntitle: Base", own: "extends: base" }).value).toEqual({
      title: "Base",
      extends: "base",
    });
  });

  it("has what bases of its base say, and lists them, the nearest first", () => {
    const files = {
      base: BASE,
      middle: "extends: base\nfields: { title: { weight: heavy } }",
      own: "extends: [middle]",
    };
    const { value, extended } = extend("own", files);
    expect(value.fields!.title).toEqual({ path: "metadata.title", weight: "heavy" });
    expect(extended.extends).toEqual(["middle"]);
    expect(extended.ancestors.map(({ file }) => file)).toEqual(["middle", "base"]);
  });

  it("may extend the declaration of its own name in an earlier folder", () => {
    const { value, printed } = extend("later/base", {
      base: BASE,
      "later/base": "extends: base\nfields: { title: null }",
    });
    expect(printed).toEqual([]);
    expect(Object.keys(value.fields!)).toEqual(["year", "amount"]);
  });

  it("inherits what a later folder makes of its base", () => {
    const files = { base: BASE, "later/base": "extends: base\nfields: { more: { path: m } }", own: "extends: base" };
    expect(Object.keys(extend("own", files).value.fields!)).toEqual(["title", "year", "amount", "more"]);
  });
});

describe("several bases", () => {
  it("are united, and may say the same", () => {
    const other = "fields:\n  title: { path: metadata.title }\n  other: { path: o }";
    const { value, printed } = extend("own", { base: BASE, other, own: "extends: [base, other]" });
    expect(printed).toEqual([]);
    expect(Object.keys(value.fields!)).toEqual(["title", "year", "amount", "other"]);
  });

  it("may share a base of their own", () => {
    const files = { base: BASE, a: "extends: base", b: "extends: base", own: "extends: [a, b]" };
    expect(extend("own", files).printed).toEqual([]);
  });

  const other = "fields:\n  title: { path: metadata.other }\n";

  it("must not say different things, and the mistake names both places", () => {
    expect(extend("own", { base: BASE, other, own: "name: own\nextends: [base, other]" }).printed).toEqual([
      'own:2: "fields.title.path" is inherited from base:2 and from other:2, which differ; declare it here',
    ]);
  });

  it("may, where the declaration itself settles it", () => {
    const own = "extends: [base, other]\nfields: { title: { path: metadata.mine } }";
    const { value, printed } = extend("own", { base: BASE, other, own });
    expect(printed).toEqual([]);
    expect(value.fields!.title).toEqual({ path: "metadata.mine", weight: "title" });
  });

  it("that differ are one mistake, and not again one of those who extend further", () => {
    const files = { base: BASE, other, both: "extends: [base, other]", own: "extends: both" };
    expect(extend("own", files).printed).toEqual([
      expect.stringMatching(/^both:1: "fields\.title\.path" is inherited/),
    ]);
  });
});

describe("a mistake", () => {
  it.each([
    [
      "an unknown base",
      "extends: bse",
      'own:1: there is no "bse" to extend, neither shared/bse.model.yaml nor models/bse; did you mean "base"?',
    ],
    ["nothing near", "extends: zzzzzzz", expect.stringMatching(/models\/zzzzzzz; known are base$/)],
    [
      "its own name, without an earlier folder",
      "extends: own",
      'own:1: no earlier catalog folder has a "own" that this one could extend',
    ],
    ["no text", "extends: 5", 'own:1: "extends" must be a list of texts'],
    [
      "a null that removes nothing",
      "extends: base\nfields:\n  titel: null",
      'own:3: "fields.titel" is not inherited, so null removes nothing',
    ],
    [
      "a key to remove that is not there",
      "extends: base\nfields:\n  title: { facet: null }",
      'own:3: "fields.title.facet" is not inherited, so null removes nothing',
    ],
    [
      "a field to stand after that is not there",
      "extends: base\nfields:\n  b: { path: b, after: titel }",
      'own:3: there is no other field "titel"',
    ],
    [
      "a field that stands after itself",
      "extends: base\nfields:\n  b: { path: b, after: b }",
      'own:3: there is no other field "b"',
    ],
  ])("is %s", (_, own, expected) => {
    expect(extend("own", { base: BASE, own }).printed).toEqual([expected]);
  });

  it("is a circle, which is named", () => {
    const files = { a: "x: 1\nextends: b", b: "extends: c", c: "y: 1\nextends: b" };
    expect(extend("a", files).printed).toEqual([
      'c:2: "extends" leads back to where it began: b -> c -> b; remove one of these',
    ]);
  });
});

describe("the location of a mistake", () => {
  const OWN = "name: own\nextends: base\nfields:\n  amount: { weight: heavy }\n";
  const at = (...place: (string | number)[]) => extend("own", { base: BASE, own: OWN }).extended.locate(place);

  it("is the file that says it, and for what is inherited also the extends by which", () => {
    expect(at("fields", "amount", "weight")).toEqual({ file: "own", line: 4 });
    expect(at("fields", "amount", "path", 0)).toEqual({ file: "base", line: 5, inheritedBy: "own:2" });
    expect(at("fields", "year", "facet")).toEqual({ file: "base", line: 3, inheritedBy: "own:2" });
    expect(at("title")).toEqual({ file: "own", line: 1 });
  });

  it("is printed with all that inherit it, and what they can do", () => {
    const problems = new Problems();
    for (const name of ["first", "second", "second"]) {
      const { extended } = extend(name, { base: BASE, [name]: "extends: base" });
      problems.add(extended, ["fields", "year", "path"], "wrong");
    }
    expect(problems.list.map(formatProblem)).toEqual([
      "base:3: wrong (inherited by first:1, second:1; override it there, or leave it out with null)",
    ]);
  });
});
