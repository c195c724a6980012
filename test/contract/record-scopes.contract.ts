import { describe, expect, it } from "vitest";
import type { RecordPage, RecordSearch } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import { any, not, number, text } from "../differential/clauses.js";
import {
  type EngineUnderTest,
  putAll,
  type RecordEngine,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const PUBLIC = { kind: "public", models: ["other", "tiny"] } as const;
const EVERYTHING: Clause = { kind: "everything" };

/** Which records every index must find for whom. */
export function recordScopeContract(under: EngineUnderTest<RecordEngine>): void {
  describe(`scopes of record searches: ${under.name}`, () => {
    let engine: RecordEngine;
    const search = (clause: Clause, changes: Partial<RecordSearch> = {}): Promise<RecordPage> =>
      engine.index.searchRecords({
        ...{ clause, scope: PUBLIC, facets: [], sort: "newest", page: { offset: 0, limit: 100 } },
        ...changes,
      });
    const find = async (clause: Clause, changes: Partial<RecordSearch> = {}): Promise<string> => {
      const { hits, total } = await search(clause, changes);
      expect(total).toBe(hits.length);
      return hits.map((hit) => hit.id).join(" ");
    };

    openForEachTest(under, (opened) => {
      engine = opened;
    });

    it("shows the public the latest published versions of the models asked for", async () => {
      await putAll(engine, [
        tinyRecord("a", {}),
        tinyDraft("b", {}),
        tinyRecord("c", {}, { versions: { index: 1, is_latest: false, is_latest_draft: false } }),
        tinyRecord("d", {}, { model: "other" }),
      ]);
      expect(await find(EVERYTHING)).toBe("d a");
      expect(await find(EVERYTHING, { scope: { kind: "public", models: ["tiny"] } })).toBe("a");
      expect(await find(EVERYTHING, { scope: { kind: "public", models: [] } })).toBe("");
      expect(await find(not({ kind: "nothing" }))).toBe("d a");
    });

    it("shows an owner each own draft, and each own latest published record without one", async () => {
      const theirs = { parent: { id: "p", owner: { user: "2" } } };
      await putAll(engine, [
        tinyRecord("a", { title: "x" }),
        tinyDraft("b", { title: "x" }),
        tinyRecord("c", { title: "x" }),
        tinyDraft("c", { title: "x" }, { is_published: true }),
        tinyRecord("d", { title: "x" }, { versions: { index: 1, is_latest: false, is_latest_draft: false } }),
        tinyRecord("e", { title: "x" }, theirs),
        tinyDraft("f", { title: "x" }, theirs),
        tinyDraft("g", { title: "x" }, { model: "other" }),
      ]);
      const own = (owner: string, ...models: string[]) => ({ scope: { kind: "owner", owner, models } }) as const;
      for (const clause of [EVERYTHING, text("x"), any(text("x"), number("ph", 1))]) {
        expect(await find(clause, own("1", "tiny", "other"))).toBe("g c b a");
        expect(await find(clause, own("1", "tiny"))).toBe("c b a");
        expect(await find(clause, own("2", "tiny", "other"))).toBe("f e");
        expect(await find(clause, own("3", "tiny", "other"))).toBe("");
        expect(await find(clause)).toBe("e c a");
      }
      const { hits } = await search(EVERYTHING, own("1", "tiny"));
      expect(hits.map((hit) => hit.state)).toEqual(["draft", "draft", "published"]);
      const all = (changes: object) => ({ scope: { ...own("1", "tiny", "other").scope, ...changes } });
      expect(await find(EVERYTHING, all({ allVersions: true }))).toBe("g d c b a");
      expect(await find(EVERYTHING, all({ isPublished: true }))).toBe("c a");
      expect(await find(EVERYTHING, all({ isPublished: true, allVersions: true }))).toBe("d c a");
      expect(await find(EVERYTHING, all({ isPublished: false }))).toBe("g b");
      expect(await find(EVERYTHING, { scope: { ...PUBLIC, allVersions: true } })).toBe("e d c a");
    });

    it("shows a user the drafts that are shared with them, as long as they are", async () => {
      await putAll(engine, [
        tinyDraft("a", { title: "x" }),
        tinyRecord("b", { title: "x" }),
        tinyDraft("b", { title: "x" }),
        tinyDraft("c", { title: "x" }),
        tinyDraft("d", { title: "x" }, { model: "other" }),
      ]);
      const shared = (...models: string[]) => ({ scope: { kind: "shared", user: "2", models } }) as const;
      const both = shared("tiny", "other");
      const share = (id: string, user: string) =>
        engine.store.transaction(({ shares }) => shares.put(id, user, "read"));
      expect(await find(text("x"), both)).toBe("");
      for (const id of ["a", "b", "d"]) await share(id, "2");
      await share("c", "3");
      expect(await find(text("x"), both)).toBe("d b a");
      expect(await find(text("x"), shared("tiny"))).toBe("b a");
      expect(await find(EVERYTHING, { scope: { ...both.scope, isPublished: true } })).toBe("b");
      await engine.store.transaction(({ shares }) => shares.delete("a", "2"));
      expect(await find(text("x"), both)).toBe("d b");
      await engine.store.transaction((tx) => tx.records.delete("b", "draft"));
      expect(await find(text("x"), both)).toBe("d");
      await putAll(engine, [tinyDraft("b", { title: "x" })]);
      expect(await find(text("x"), both)).toBe("d");
    });

    it("shows a curator the drafts of everybody, and others those they may read", async () => {
      const theirs = { parent: { id: "p", owner: { user: "2" } } };
      await putAll(engine, [
        tinyRecord("a", { title: "x" }),
        tinyDraft("b", { title: "x" }),
        tinyRecord("c", { title: "x" }, theirs),
        tinyDraft("c", { title: "x" }, { ...theirs, is_published: true }),
        tinyRecord("d", { title: "x" }, { versions: { index: 1, is_latest: false, is_latest_draft: false } }),
        tinyDraft("e", { title: "x" }, { ...theirs, model: "other" }),
      ]);
      await engine.store.transaction(({ shares }) => shares.put("e", "3", "read"));
      const models = ["tiny", "other"];
      const drafts = (more: object = {}) => ({ scope: { kind: "drafts", models, ...more } }) as const;
      const readable = (more: object = {}) => ({ scope: { kind: "readable", models, ...more } }) as const;
      for (const clause of [EVERYTHING, text("x"), any(text("x"), number("ph", 1))]) {
        expect(await find(clause, drafts())).toBe("e c b");
        expect(await find(clause, drafts({ models: ["tiny"] }))).toBe("c b");
        expect(await find(clause, drafts({ isPublished: true }))).toBe("c");
        expect(await find(clause, drafts({ isPublished: false }))).toBe("e b");
        expect(await find(clause, readable())).toBe("e c c b a");
        expect(await find(clause, readable({ allVersions: true }))).toBe("e d c c b a");
        expect(await find(clause, readable({ user: "1" }))).toBe("c b a");
        expect(await find(clause, readable({ user: "2" }))).toBe("e c c a");
        expect(await find(clause, readable({ user: "3" }))).toBe("e c a");
        expect(await find(clause, readable({ user: "9", models: ["other"] }))).toBe("");
      }
    });
  });
}
