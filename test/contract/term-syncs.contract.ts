import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/core/actor.js";
import { LIMITS } from "../../src/core/limits.js";
import type { TermContent, TermPatch } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import type { LoadEffect, LoadOptions, LoadSummary, Redirect, TermLine } from "../../src/ports/loads.js";
import { nameKey } from "../../src/query/index-model/term-document.js";
import { analyse } from "../../src/query/text/analyse.js";
import type { EngineUnderTest } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";

type Said =
  | { readonly content: TermContent }
  | { readonly patch: TermPatch }
  | { readonly redirect: Redirect }
  | TermContent;

async function* linesOf(said: readonly Said[]): AsyncGenerator<TermLine> {
  for (const [i, each] of said.entries()) yield { line: i + 1, ...("id" in each ? { content: each } : each) };
}

const synonym = (name: string) => ({ name, kind: "synonym" });

/** Of a load that changes so many items an engine may go about it in another way. */
const MANY = LIMITS.importTransactionItemsMax + 10;

const others = (many: boolean): TermContent[] =>
  Array.from({ length: many ? MANY : 0 }, (_, n) => item(100_000 + n, `Other ${n}`));

/** What every store must do with loads that compare: checks of lines, patches, redirects, sources and their syncs. */
export function termSyncsContract(under: EngineUnderTest): void {
  describe(`term syncs contract: ${under.name}`, () => {
    let engine: Engine;
    const load = (said: readonly Said[], options: LoadOptions = {}): Promise<LoadSummary> =>
      engine.store.loadTerms("species", linesOf(said), options);
    const read = async (id: string): Promise<Record<string, unknown> | undefined> => {
      const found = await engine.store.terms.getExact("species", id);
      if (found === undefined) return undefined;
      const { title, props, synonyms, status, replaced_by, parent } = JSON.parse(found.term.json);
      const { revision } = found.term;
      return { title: title.en, props, synonyms, status, replaced_by, parent: parent?.id, revision };
    };
    const refused = async (said: readonly Said[], options: LoadOptions = {}): Promise<[number, string][]> => {
      const reasons: [number, string][] = [];
      await load(said, { ...options, refuse: (line, reason) => void reasons.push([line, reason]) });
      return reasons.sort(([a], [b]) => a - b);
    };
    const edit = async (content: TermContent, field: string): Promise<void> => {
      await engine.store.transaction(async (tx) => {
        await tx.terms.put("species", content);
        const { revision } = (await tx.terms.getExact("species", content.id))!.term;
        const term = { vocabulary: "species", id: content.id };
        await tx.history.add(OPERATOR, term, { revision, action: "changed", fields: [{ field }] });
      });
    };
    const historyOf = async (id: string) => {
      const { entries } = await engine.store.history.list("species", id, { offset: 0, limit: 10 });
      return entries.map(({ action, source, revision }) => [action, source, revision]);
    };

    openForEachTest(under, (opened) => {
      engine = opened;
    });

    it.each([false, true])("refuses new terms under ids that lead to other terms (many: %s)", async (many) => {
      await putTerms(engine, [item(1, "Now"), item(2, "Merged"), item(3, "Merged and gone"), item(4, "Gone")]);
      await load([{ redirect: { id: "sp:5", to: "sp:1" } }]);
      await putTerms(engine, [
        item(2, "Merged", { status: "deprecated", replaced_by: "sp:1" }),
        item(3, "Merged and gone", { status: "deprecated", replaced_by: "sp:2" }),
      ]);
      await engine.store.transaction(async (tx) => {
        await tx.terms.delete("species", "sp:3");
        await tx.terms.delete("species", "sp:4");
      });
      const said = [
        item(2, "Active again"),
        { patch: { id: "sp:3", title: { en: "Second" } } },
        item(4, "Back"),
        item("SP:1", "Other capitals"),
        item(5, "Redirected"),
        item(6, "New"),
        ...others(many),
      ];
      expect(await refused(said, { refusesOtherIds: true })).toEqual([
        [1, '"sp:2" was merged into "sp:1"; write "sp:1" instead, or keep "replaced_by"'],
        [2, '"sp:3" is another id of "sp:1"; write "sp:1" instead'],
        [4, '"SP:1" is another id of "sp:1"; write "sp:1" instead'],
        [5, '"sp:5" is another id of "sp:1"; write "sp:1" instead'],
      ]);
      expect([await read("sp:4"), await read("sp:6")]).toMatchObject([{ title: "Back" }, { title: "New" }]);
      expect(await Promise.all(["sp:3", "SP:1", "sp:5"].map(read))).toEqual([undefined, undefined, undefined]);
      // An authority says itself which ids are terms.
      expect(await refused([item(5, "Lives again")])).toEqual([]);
      expect(await read("sp:5")).toMatchObject({ title: "Lives again" });
    });

    it.each([false, true])("leaves titles that no authority gave as they are (many: %s)", async (many) => {
      const authority = { names: ["ncbi", "ror"], starterTitles: new Map([["sp:4", { en: "Starter" }]]) };
      const ncbi = { source: "ncbi", authority };
      await load([item(1, "Theirs"), item(2, "Theirs"), item(4, "Starter"), item(5, "Theirs")], ncbi);
      await load([item(3, "Ours")], { source: "mine" });
      await edit(item(2, "Ours"), "title.en");
      await load([{ patch: { id: "sp:5", title: { en: "Ours" } } }], { source: "mine" });
      const patches = [1, 2, 3, 4, 5].map((n) => ({ patch: { id: `sp:${n}`, title: { en: "Renamed" } } }));
      for (const expected of [{ changed: 5, renamed: 1 }, { changed: 0 }]) {
        expect(await load([...patches, ...others(many)], ncbi)).toMatchObject(expected);
        const kept = { synonyms: [{ name: "Renamed", kind: "title" }] };
        expect(await Promise.all(["sp:1", "sp:2", "sp:3", "sp:4", "sp:5"].map(read))).toMatchObject([
          { title: "Renamed", synonyms: undefined },
          { title: "Ours", ...kept },
          { title: "Ours", ...kept },
          { title: "Starter", ...kept },
          { title: "Ours", ...kept },
        ]);
      }
    });

    it.each([false, true])(
      "refuses lines whose targets are not there, and what needs these (many: %s)",
      async (many) => {
        await putTerms(engine, [item(1, "Root"), item(2, "Below", { parent: "sp:1" })]);
        const said = [
          item(10, "Good", { parent: "sp:1" }),
          item(11, "No parent", { parent: "sp:404" }),
          item(12, "Below a refused one", { parent: "sp:11" }),
          item(13, "No successor", { status: "deprecated", replaced_by: "sp:405" }),
          { patch: { id: "sp:14", props: { rank: "species" } } },
          item(15, "Below a line", { parent: "sp:10" }),
          ...others(many),
        ];
        const gone = "is not a term, neither of the vocabulary nor of the file; load or add it first";
        expect(await refused(said)).toEqual([
          [2, `the parent "sp:404" ${gone}`],
          [3, `the parent "sp:11" ${gone}`],
          [4, `the successor (replaced_by) "sp:405" ${gone}`],
          [5, 'a new term needs a "title"'],
        ]);
        expect(await Promise.all([10, 11, 12, 13, 14, 15].map(async (id) => (await read(`sp:${id}`))?.title))).toEqual([
          ...["Good", undefined, undefined, undefined, undefined, "Below a line"],
        ]);
        expect(await engine.store.terms.count("species")).toBe(4 + others(many).length);
      },
    );

    it("refuses lines that would put an item below itself, also by way of items that it does not name", async () => {
      await putTerms(engine, [
        item(1, "Root"),
        item(2, "Below", { parent: "sp:1" }),
        item(3, "Last", { parent: "sp:2" }),
      ]);
      const descendant = (below: string, of: string) =>
        `the parent "${below}" is a descendant of "${of}"; give one of them another parent`;
      expect(await refused([item(1, "Root", { parent: "sp:3" })])).toEqual([[1, descendant("sp:3", "sp:1")]]);
      expect(await refused([item(5, "A", { parent: "sp:6" }), item(6, "B", { parent: "sp:5" })])).toEqual([
        [1, descendant("sp:6", "sp:5")],
        [2, descendant("sp:5", "sp:6")],
      ]);
      expect(await refused([item(2, "Below"), item(1, "Root", { parent: "sp:3" })])).toEqual([]);
      expect((await engine.store.terms.getExact("species", "sp:1"))?.ancestors.map(({ id }) => id)).toEqual([
        ...["sp:2", "sp:3"],
      ]);
    });

    it.each([false, true])("writes patches over what is there (many: %s)", async (many) => {
      const old = { props: { rank: "species", codes: ["a"] }, synonyms: [synonym("x")], parent: "sp:1" };
      await putTerms(engine, [item(1, "Root"), item(2, "Old", old), item(3, "Joined", old), item(4, "Filled", old)]);
      const said = { props: { rank: "genus", codes: ["b"], more: 1 }, synonyms: [synonym("y")], parent: null };
      const summary = await load([
        { patch: { id: "sp:2", title: { de: "Alt" }, props: { codes: null } } },
        { patch: { id: "sp:3", manner: "join", ...said } },
        { patch: { id: "sp:4", manner: "fill", title: { en: "Unsaid" }, ...said } },
        ...others(many),
      ]);
      expect(summary).toMatchObject({ new: others(many).length, changed: 3, lost: { parent: 1, props: { codes: 1 } } });
      expect(await read("sp:2")).toMatchObject({
        title: "Old",
        props: { rank: "species" },
        parent: "sp:1",
        revision: 2,
      });
      const names = [synonym("x"), synonym("y")];
      expect(await read("sp:3")).toMatchObject({ props: { rank: "genus", codes: ["a", "b"] }, synonyms: names });
      expect((await read("sp:3"))?.parent).toBeUndefined();
      const filled = {
        title: "Filled",
        props: { rank: "species", codes: ["a", "b"] },
        // The title that does not count.
        synonyms: [...names, synonym("Unsaid")],
        parent: "sp:1",
      };
      expect(await read("sp:4")).toMatchObject(filled);
    });

    it("adds only what is not there, where that is asked for", async () => {
      await putTerms(engine, [item(1, "One")]);
      expect(await load([item(1, "Other"), item(2, "Two")], { addsOnly: true })).toMatchObject({
        new: 1,
        unchanged: 1,
      });
      expect([(await read("sp:1"))?.title, (await read("sp:2"))?.title]).toEqual(["One", "Two"]);
    });

    it.each([false, true])("follows ids that are no items, and deprecates those that are (many: %s)", async (many) => {
      await putTerms(engine, [item(1, "Kept"), item(2, "Merged"), item(3, "Withdrawn")]);
      const said: Said[] = [
        { redirect: { id: "sp:90", to: "sp:1" } },
        { redirect: { id: "sp:91", to: null } },
        { redirect: { id: "sp:92", to: "sp:90" } },
        { redirect: { id: "sp:2", to: "sp:1" } },
        { redirect: { id: "sp:3", to: null } },
        ...others(many),
      ];
      expect(await load(said)).toMatchObject({ redirects: 3, changed: 2, merged: 1, withdrawn: 1 });
      const get = (id: string) => engine.store.terms.get("species", id);
      expect(await Promise.all(["sp:90", "sp:91", "sp:92", "sp:2"].map(get))).toEqual([
        ...[{ kind: "moved", to: "sp:1" }, { kind: "gone" }, { kind: "moved", to: "sp:1" }],
        { kind: "moved", to: "sp:1" },
      ]);
      expect((await engine.store.terms.provenance("species", "sp:1", 9)).formerIds).toEqual(["sp:2", "sp:90", "sp:92"]);
      expect(await read("sp:3")).toMatchObject({ status: "deprecated", revision: 2 });
      const version = await engine.store.terms.version();
      expect(await load(said)).toMatchObject({ new: 0, redirects: 0, changed: 0, unchanged: 2 + others(many).length });
      expect(await engine.store.terms.version()).toBe(version);
      expect(await load([{ redirect: { id: "sp:91", to: "sp:1" } }])).toMatchObject({ redirects: 1 });
      expect(await engine.store.terms.version()).not.toBe(version);
      expect(await get("sp:91")).toEqual({ kind: "moved", to: "sp:1" });
    });

    it.each([false, true])("withdraws what its source no longer has, and brings it back (many: %s)", async (many) => {
      const sync = { source: "dump", withdraws: () => true };
      await load([item(1, "One"), item(2, "Two"), item(3, "Three"), item(4, "Four"), ...others(many)], {
        source: "dump",
      });
      await load([item(3, "Three")], { source: "other" });
      const sourcesOf = async (id: string) => (await engine.store.terms.provenance("species", id, 1)).sources;
      expect([await sourcesOf("sp:1"), await sourcesOf("sp:3")]).toEqual([["dump"], ["dump", "other"]]);
      await putTerms(engine, [item(9, "Ours")]);
      const gone = await load([item(1, "One"), ...others(many)], sync);
      expect(gone).toMatchObject({ changed: 2, withdrawn: 2, unchanged: 1 + others(many).length });
      expect([await sourcesOf("sp:2"), await sourcesOf("sp:3")]).toEqual([[], ["other"]]);
      const statuses = () => Promise.all([1, 2, 3, 4, 9].map(async (id) => (await read(`sp:${id}`))?.status));
      expect(await statuses()).toEqual([undefined, "deprecated", undefined, "deprecated", undefined]);
      expect(await historyOf("sp:2")).toEqual([["loaded", "dump", 2]]);
      const back = [item(1, "One"), { patch: { id: "sp:2", title: { en: "Two" } } }, ...others(many)];
      expect(await load(back, sync)).toMatchObject({ new: 0, changed: 1 });
      expect(await statuses()).toEqual([undefined, undefined, undefined, "deprecated", undefined]);
    });

    it("keeps in a sync what people changed, and says so", async () => {
      const sync = { source: "dump", withdraws: () => true };
      await load([item(1, "One"), item(2, "Two")], { source: "dump" });
      await edit(item(1, "Ours", { props: { rank: "species" } }), "title.en");
      await edit(item(2, "Two", { status: "active" }), "status");
      const reports: LoadEffect[] = [];
      const said = [{ patch: { id: "sp:1", title: { en: "Uno" }, props: { rank: "genus" } } }];
      const summary = await load(said, { ...sync, report: (each) => void reports.push(each) });
      expect(summary).toMatchObject({ changed: 1, kept: 2, withdrawn: 0 });
      expect(reports).toMatchObject([
        { kind: "kept", id: "sp:1", field: "title.en", value: "Ours", source: "Uno", by: "operator" },
        { kind: "kept", id: "sp:2", field: "status", value: "active", source: "deprecated" },
        { kind: "changed", id: "sp:1", fields: [{ field: "props.rank", from: "species", to: "genus" }] },
      ]);
      expect(await read("sp:1")).toMatchObject({ title: "Ours", props: { rank: "genus" } });
      expect((await engine.store.history.edited("species", "sp:1")).map(({ field }) => field)).toEqual(["title.en"]);
    });

    it("tells what it would do, and does it only when it is wanted", async () => {
      await load([item(1, "One"), item(2, "Two")], { source: "dump" });
      const said = [item(1, "Uno"), item(3, "Three"), { redirect: { id: "sp:90", to: "sp:1" } }];
      const sync = { source: "dump", withdraws: () => true };
      const version = await engine.store.terms.version();
      const reports: LoadEffect[] = [];
      const trial = await load(said, { ...sync, dryRun: true, report: (each) => void reports.push(each) });
      expect(trial).toMatchObject({ new: 1, changed: 2, renamed: 1, withdrawn: 1, redirects: 1 });
      expect(trial.examples.map(({ id }) => id)).toEqual(["sp:1", "sp:2"]);
      expect(reports.map(({ kind, id }) => [kind, id])).toEqual([
        ...[
          ["renamed", "sp:1"],
          ["new", "sp:3"],
          ["withdrawn", "sp:2"],
        ],
      ]);
      expect(await load(said, { ...sync, isWanted: () => false })).toEqual(trial);
      expect(await engine.store.terms.version()).toBe(version);
      expect(await load(said, sync)).toEqual(trial);
      expect((await read("sp:1"))?.title).toBe("Uno");
    });

    it.each([false, true])("shows a load as one change with its entries (many: %s)", async (many) => {
      await putTerms(engine, [item(1, "One"), item(2, "Two")]);
      const { next } = await engine.store.changes.page({ after: { seq: 0, time: 0 }, limit: 10 });
      await load([item(1, "One"), item(2, "Zwei"), item(3, "Three"), ...others(many)], { source: "file" });
      const limit = LIMITS.changePageSizeMax;
      const first = await engine.store.changes.page({ after: next, limit });
      const rest = await engine.store.changes.page({ after: first.next, limit });
      const changes = [...first.changes, ...rest.changes];
      expect(new Set(changes.map(({ seq }) => seq)).size).toBe(1);
      expect(changes).toHaveLength(2 + others(many).length);
      const ours = changes.filter(({ id }) => id.length < 8).map(({ action, id, revision }) => [action, id, revision]);
      expect(ours.sort()).toEqual([
        ["created", "sp:3", 1],
        ["updated", "sp:2", 2],
      ]);
      expect(await historyOf("sp:2")).toEqual([["loaded", "file", 2]]);
      expect(await historyOf("sp:3")).toEqual([]);
    });

    it("stores whatever text a term may have, and finds it by its whole name", async () => {
      const word = "ж".repeat(LIMITS.wordLengthMax - 1);
      const name = `${word} ${word}`;
      const odd = "a\u0000b\ud800\ue000";
      await load([
        item(`sp:${"件".repeat(LIMITS.termIdLengthMax - 3)}`, "Long", { synonyms: [synonym(name)] }),
        item(1, odd, { props: { rank: odd } }),
      ]);
      await putTerms(engine, [item(2, odd, { props: { rank: odd } })]);
      expect(await read("sp:1")).toMatchObject({ title: odd, props: { rank: odd } });
      expect(await read("sp:2")).toMatchObject({ title: odd, props: { rank: odd } });
      const key = nameKey(analyse(name))!;
      const named = await engine.store.terms.named("species", [key, "nobody"], 5);
      expect(named.map((each) => [each.key, each.term.id.length])).toEqual([[key, LIMITS.termIdLengthMax]]);
    });

    it("names items by whole names best first, and those nearest to an id", async () => {
      await putTerms(engine, [
        item(562, "Water", { synonyms: [synonym("Aqua"), synonym("H2O")] }),
        item(5, "Aqua"),
        item("sp:Ab", "Water"),
        item(17, "Water", { status: "deprecated" }),
      ]);
      const named = await engine.store.terms.named("species", ["water", "aqua"], 2);
      expect(named.map(({ key, term }) => [key, term.id])).toEqual([
        ...[
          ["water", "sp:562"],
          ["water", "sp:Ab"],
          ["aqua", "sp:562"],
          ["aqua", "sp:5"],
        ],
      ]);
      const near = (id: string) => engine.store.terms.nearestIds("species", id, 3);
      const asked = ["sp:56", "sp:AC", "562", "Water"];
      expect(await Promise.all(asked.map(near))).toEqual([
        ["sp:562", "sp:5", "sp:Ab"],
        ["sp:Ab", "sp:5", "sp:17"],
        ["sp:562", "sp:5"],
        [],
      ]);
      await expect(engine.store.terms.nearestIds("nonsense", "x", 3)).rejects.toMatchObject({
        code: "VOCABULARY_NOT_FOUND",
      });
    });
  });
}
