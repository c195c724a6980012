import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import type { TermContent } from "../../core/term.js";
import type { LoadedChange } from "../../ports/store.js";

let bindery: OpenServices;
let last = 0;
beforeAll(async () => {
  bindery = await openServices({ content: "nothing" });
});
afterAll(() => bindery.dispose());

type Input = Parameters<OpenServices["importTerms"]>[0];

const load = (items: readonly object[], options: Partial<Input> = {}) => {
  const file = bindery.file("items.ndjson", items.map((item) => JSON.stringify(item)).join("\n"));
  return bindery.importTerms({ vocabulary: "organisms", file, skipRefused: false, ...options });
};
const newId = (): string => `taxid:${97_000_000 + last++}`;
const read = async (id: string): Promise<Record<string, unknown>> =>
  JSON.parse((await bindery.store.terms.getExact("organisms", id))!.term.json) as Record<string, unknown>;
const without = (value: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** A parent and an item below it with all that an item can have. */
async function addFull(): Promise<{ readonly top: string; readonly id: string }> {
  const [top, id] = [newId(), newId()];
  const full = {
    id,
    title: { en: "Bacillus subtilis" },
    props: { rank: "species" },
    synonyms: ["Bacillus natto", "Hay bacillus"],
    parent: top,
  };
  expect(await load([{ id: top, title: "Bacillus" }, full])).toMatchObject({ new: 2, refused: [] });
  return { top, id };
}

describe("a line over an item that is there", () => {
  it("keeps what the line does not speak of, the parent above all", async () => {
    const { top, id } = await addFull();
    const summary = await load([{ id, title: { en: "Bacillus subtilis" } }]);
    expect(summary).toMatchObject({ unchanged: 1, changed: 0 });
    expect(await load([{ id, title: { de: "Heubazillus" } }])).toMatchObject({ changed: 1 });
    expect(await read(id)).toMatchObject({
      title: { en: "Bacillus subtilis", de: "Heubazillus" },
      parent: { id: top },
      props: { rank: "species" },
      synonyms: [{ name: "Bacillus natto" }, { name: "Hay bacillus" }],
      revision_id: 2,
    });
  });

  it("clears a field with an empty value, and counts what was lost", async () => {
    const { id } = await addFull();
    const summary = await load([{ id, parent: null, synonyms: ["Hay bacillus"], props: { rank: "" } }]);
    expect(summary).toMatchObject({ changed: 1, lost: { parent: 1, synonyms: 1, title: {}, props: { rank: 1 } } });
    const item = await read(id);
    expect(item).toMatchObject({ props: {}, synonyms: [{ name: "Hay bacillus" }] });
    expect(item).not.toHaveProperty("parent");
  });

  it("is the whole item where lines replace", async () => {
    const { id } = await addFull();
    const summary = await load([{ id, title: "Bacillus subtilis" }], { mode: "replace" });
    expect(summary).toMatchObject({ changed: 1, lost: { parent: 1, synonyms: 1, props: { rank: 1 } } });
    expect(without(await read(id), "@v", "created", "updated", "revision_id")).toEqual({
      id,
      type: "organisms",
      title: { en: "Bacillus subtilis" },
      props: {},
    });
  });

  it("changes nothing where items are only added, as the demo does", async () => {
    const { id } = await addFull();
    const added = newId();
    const summary = await load(
      [
        { id, title: "Ours" },
        { id: added, title: "New" },
      ],
      { mode: "add" },
    );
    expect(summary).toMatchObject({ new: 1, changed: 0, unchanged: 1 });
    expect(await read(id)).toMatchObject({ title: { en: "Bacillus subtilis" }, revision_id: 1 });
  });

  it("may lack a title, which a new item may not", async () => {
    const { id } = await addFull();
    const { refused } = await load([
      { id, props: { rank: "strain" } },
      { id: newId(), props: { rank: "strain" } },
    ]);
    expect(refused).toEqual([{ line: 2, reason: 'a new term needs a "title"' }]);
    expect(await read(id)).toMatchObject({ revision_id: 1 });
  });
});

describe("an id that leads to another term", () => {
  const operator = { kind: "operator" } as const;
  const at = (id: string) => ({ vocabulary: "organisms", id });
  const languages = (items: readonly object[], options: Partial<Input> = {}) =>
    load(items, { vocabulary: "languages", ...options });
  const countOf = (vocabulary: string) => bindery.store.terms.count(vocabulary);

  /** A term that was merged into another one, and then removed or not. */
  async function addMerged(isRemoved: boolean): Promise<{ readonly old: string; readonly into: string }> {
    const [old, into] = [newId(), newId()];
    await load([
      { id: old, title: "Old name" },
      { id: into, title: "New name" },
    ]);
    await bindery.mergeTerm(operator, at(old), JSON.stringify({ into }));
    if (isRemoved) await bindery.deleteTerm(operator, at(old));
    return { old, into };
  }

  it.each([{}, { mode: "replace" }, { mode: "add" }, { dryRun: true }, { source: "mine", sync: true }] as const)(
    "makes no second term, and the line says which term is meant: %j",
    async (options) => {
      expect(await languages([{ id: "fr", title: "French" }])).toMatchObject({ refused: [] });
      const before = await countOf("languages");
      const summary = await languages(
        [
          { id: "fra", title: "French (France)" },
          { id: "fr", title: "French" },
        ],
        options,
      );
      expect(summary).toMatchObject({
        new: 0,
        refused: [{ line: 1, reason: '"fra" is another id of "fr"; write "fr" instead' }],
      });
      expect(await countOf("languages")).toBe(before);
    },
  );

  it("is refused also where the term that it means is new, or not there", async () => {
    const summary = await languages([
      { id: "deu", title: "Deutsch" },
      { id: "de", title: "German" },
    ]);
    expect(summary.refused).toEqual([{ line: 1, reason: '"deu" is another id of "de"; write "de" instead' }]);
    expect((await languages([{ id: "eng", title: "English" }])).refused).toMatchObject([{ line: 1 }]);
  });

  it("leaves the other lines to --skip-refused", async () => {
    const summary = await languages(
      [
        { id: "ces", title: "Czech" },
        { id: "cs", title: "Czech" },
      ],
      { skipRefused: true },
    );
    expect(summary).toMatchObject({ new: 1, refused: [{ line: 1 }] });
    expect(await bindery.store.terms.get("languages", "ces")).toMatchObject({ kind: "moved", to: "cs" });
  });

  it.each(["merge", "replace", "add"] as const)("may be one that was merged and removed: %s", async (mode) => {
    const { old, into } = await addMerged(true);
    const before = await countOf("organisms");
    const { refused } = await load([{ id: old, title: "Again" }], { mode });
    expect(refused).toEqual([{ line: 1, reason: `"${old}" is another id of "${into}"; write "${into}" instead` }]);
    expect(await countOf("organisms")).toBe(before);
    expect(await bindery.store.terms.get("organisms", old)).toMatchObject({ kind: "moved", to: into });
  });

  it("may be a merged term, which a line makes active only if it says so", async () => {
    const { old, into } = await addMerged(false);
    const silent = await load([{ id: old, title: "Again" }], { mode: "replace" });
    expect(silent.refused).toMatchObject([{ line: 1, reason: expect.stringMatching(/was merged into/) }]);
    expect(
      await load([{ id: old, title: "Again", status: "deprecated", replaced_by: into }], { mode: "replace" }),
    ).toMatchObject({ changed: 1, refused: [] });
    expect(await load([{ id: old, synonyms: ["Older name"] }])).toMatchObject({ changed: 1, refused: [] });
    expect(await bindery.store.terms.get("organisms", old)).toMatchObject({ kind: "moved", to: into });
    expect(await load([{ id: old, status: "active", replaced_by: null }])).toMatchObject({ changed: 1, refused: [] });
    expect(await bindery.store.terms.get("organisms", old)).toMatchObject({ kind: "found" });
  });

  it("is an id of a term again once it leads nowhere", async () => {
    const id = newId();
    await load([{ id, title: "Gone" }]);
    await bindery.deleteTerm(operator, at(id));
    expect(await load([{ id, title: "Back" }])).toMatchObject({ new: 1, refused: [] });
  });
});

describe("a dry run", () => {
  it("says what would change, field by field, and writes nothing", async () => {
    const { top, id } = await addFull();
    const { lastChange } = await bindery.verifyStore(() => undefined);
    const summary = await load([{ id, title: "B. subtilis", parent: "" }, { id: newId(), title: "New" }, { id: top }], {
      dryRun: true,
    });
    expect(summary).toMatchObject({ new: 1, changed: 1, unchanged: 1, lost: { parent: 1 }, refused: [] });
    expect(summary.examples).toEqual<LoadedChange[]>([
      {
        id,
        fields: [
          { field: "title.en", from: "Bacillus subtilis", to: "B. subtilis" },
          { field: "parent", from: top },
        ],
      },
    ]);
    expect(await read(id)).toMatchObject({ revision_id: 1, parent: { id: top } });
    expect((await bindery.verifyStore(() => undefined)).lastChange).toBe(lastChange);
  });
});

describe("a parent", () => {
  it("that is not there refuses the line, and those of new items below it", async () => {
    const { id } = await addFull();
    const [a, b] = [newId(), newId()];
    const lines = [
      { id: a, title: "A", parent: "taxid:96999999" },
      { id: b, title: "B", parent: a },
      { id, rank: "x" },
    ];
    const { refused } = await load(lines);
    expect(refused.map(({ line }) => line)).toEqual([1, 2]);
    expect(refused[0]!.reason).toMatch(
      /^the parent "taxid:96999999" is not a term, neither of the vocabulary nor of the file/,
    );
    expect(await load(lines, { skipRefused: true })).toMatchObject({ new: 0, changed: 1 });
  });

  it("that stands below the item refuses the line, whether the file or what is there closes the circle", async () => {
    const { top, id } = await addFull();
    const [a, b] = [newId(), newId()];
    const inFile = await load([
      { id: a, title: "A", parent: b },
      { id: b, title: "B", parent: a },
    ]);
    expect(inFile.refused.map(({ line }) => line)).toEqual([1, 2]);
    const beside = await load([
      { id: a, title: "A", parent: id },
      { id: top, parent: a },
    ]);
    expect(beside.refused.map(({ line }) => line)).toEqual([1, 2]);
    const there = await load([{ id: top, parent: id }], { mode: "merge" });
    expect(there.refused).toEqual([
      { line: 1, reason: `the parent "${id}" is a descendant of "${top}"; give one of them another parent` },
    ]);
    expect(
      await load([
        { id: top, parent: id },
        { id, parent: null },
      ]),
    ).toMatchObject({ changed: 2, refused: [] });
  });
});

describe("a successor", () => {
  it("that is not there refuses the line, unless it stood there before", async () => {
    const { id } = await addFull();
    const [a, b] = [newId(), newId()];
    const gone = { status: "deprecated", title: "Gone" };
    const lines = [
      { id: a, ...gone, replaced_by: b },
      { id: b, ...gone, replaced_by: id },
      { id: newId(), ...gone, replaced_by: "taxid:96999997" },
    ];
    const { refused } = await load(lines);
    expect(refused.map(({ line }) => line)).toEqual([3]);
    expect(refused[0]!.reason).toMatch(/^the successor \(replaced_by\) "taxid:96999997" is not a term/);
    expect(await load(lines, { skipRefused: true })).toMatchObject({ new: 2 });
    await bindery.store.transaction((tx) => tx.terms.delete("organisms", b));
    expect(await load([{ id: a, title: "Renamed" }])).toMatchObject({ changed: 1, refused: [] });
  });
});

describe("verify", () => {
  it("finds parents that are not there, and circles, which it cannot mend", async () => {
    const [a, b, c, below] = [newId(), newId(), newId(), newId()];
    await load([a, b, c].map((id) => ({ id, title: "Item" })));
    const put = (id: string, parent: string) =>
      bindery.store.transaction((tx) =>
        tx.terms.put("organisms", { id, title: { en: "Item" }, props: {}, status: "active", parent }),
      );
    await put(a, b);
    await put(b, a);
    await put(c, "taxid:96999998");
    await put(below, a);
    const { findings } = await bindery.verifyStore(() => undefined);
    expect(findings.map(({ check, where, found, isMendable }) => [check, where, found, isMendable])).toEqual([
      ["items.parents", `organisms/${c}`, "no such item", false],
      ["items.parents", `organisms/${a}`, "a circle", false],
      ["items.parents", `organisms/${b}`, "a circle", false],
    ]);
    for (const id of [a, b, c, below]) await bindery.store.transaction((tx) => tx.terms.delete("organisms", id));
    expect((await bindery.verifyStore(() => undefined)).findings).toEqual([]);
  });
});

describe("many items", () => {
  it("are merged as few are, over what is written meanwhile too", async () => {
    const ids = Array.from({ length: 1_200 }, newId);
    const top = newId();
    const whole = ids.map((id) => ({ id, title: id, parent: top, props: { rank: "species" } }));
    expect(await load([{ id: top, title: "Top" }, ...whole])).toMatchObject({ new: 1_201, lost: { parent: 0 } });
    const put = (content: Partial<TermContent> & { id: string }) =>
      bindery.store.transaction((tx) =>
        tx.terms.put("organisms", { title: { en: "Ours" }, props: {}, status: "active", ...content }),
      );
    async function* lines() {
      for (const [n, id] of ids.entries()) {
        yield { line: n + 1, patch: { id, props: { rank: "strain" } } };
        // After it was compared, and before all is written.
        if (n === 1_100) await put({ id: ids[0]!, parent: top, props: { rank: "genus" } });
      }
    }
    const summary = await bindery.store.loadTerms("organisms", lines(), { refuse: () => undefined });
    expect(summary).toMatchObject({ changed: 1_200, lost: { parent: 0 } });
    const item = (id: string) => read(id).then((each) => without(each, "@v", "created", "updated", "type"));
    const parent = { id: top, title: { en: "Top" } };
    expect(await item(ids[0]!)).toEqual({
      id: ids[0],
      title: { en: "Ours" },
      props: { rank: "strain" },
      revision_id: 3,
      parent,
    });
    expect(await item(ids[1_199]!)).toMatchObject({ title: { en: ids[1_199] }, props: { rank: "strain" }, parent });
    expect((await bindery.verifyStore(() => undefined)).findings).toEqual([]);
  });
});
