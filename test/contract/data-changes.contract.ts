import { beforeEach, describe, expect, it } from "vitest";
import {
  citationsPart,
  type DataPart,
  draftPart,
  draftsPart,
  recordPart,
  recordsPart,
  termsPart,
} from "../../src/core/feed/feed.js";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import { type EngineUnderTest, putAll, species, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item } from "../support/engines/term-fixtures.js";

const PARTS: readonly DataPart[] = [
  ...[recordPart("a"), recordPart("b"), recordsPart("tiny"), recordsPart("other"), recordsPart()],
  ...[draftPart("a"), draftPart("b"), draftPart("d"), draftsPart("tiny"), draftsPart("other"), draftsPart()],
  ...[termsPart("species"), termsPart(), citationsPart("species")],
];

/** The parts that change with a draft, or with a published record. */
const ofDraft = (id: string): readonly DataPart[] => [draftPart(id), draftsPart("tiny"), draftsPart()];
const ofRecord = (id: string): readonly DataPart[] => [
  ...[recordPart(id), recordsPart("tiny"), recordsPart()],
  ...ofDraft(id),
];

let engine: Engine;

/** What a write changes, of all parts. */
async function changedBy(write: () => Promise<unknown>): Promise<readonly DataPart[]> {
  const before = engine.dataChanges.look();
  await write();
  engine.dataChanges.look();
  return PARTS.filter((part) => !engine.dataChanges.areSame([part], before));
}

async function* terms(from: number, to: number): AsyncGenerator<TermContent> {
  for (let n = from; n <= to; n++) yield item(n, `S ${n}`);
}

const citing = (id: string, of = "sp:1") => tinyRecord(id, { title: "one", organism: { id: of } });

/** Contract of the changes that an engine reports, by which kept answers are checked. */
export function dataChangesContract(under: EngineUnderTest): void {
  describe(`data changes contract: ${under.name}`, () => {
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    beforeEach(async () => {
      await engine.store.loadTerms("species", terms(1, 3));
      await putAll(engine, [tinyRecord("a", { title: "one" }), tinyDraft("b", {})]);
      engine.dataChanges.look();
      // The first publication tells what of the citations is known from then on.
      await putAll(engine, [tinyRecord("c", { title: "one" })]);
      engine.dataChanges.look();
    });

    it("finds all as it was while nobody writes", async () => {
      const moment = engine.dataChanges.look();
      expect(engine.dataChanges.look()).toBe(moment);
      expect(engine.dataChanges.areSame(PARTS, moment)).toBe(true);
    });

    it("says of a publication which record, which model, and whether terms are cited", async () => {
      expect(await changedBy(() => putAll(engine, [tinyRecord("b", { title: "two" })]))).toEqual(ofRecord("b"));
      const cited = [species("sp:1", "S 1")];
      expect(await changedBy(() => putAll(engine, [citing("b")], cited))).toEqual([
        ...ofRecord("b"),
        citationsPart("species"),
      ]);
    });

    it("says of a removal what was removed, and what cites its terms no more", async () => {
      await putAll(engine, [citing("b")], [species("sp:1", "S 1")]);
      const remove = () => engine.store.transaction((tx) => tx.records.delete("b", "published"));
      expect(await changedBy(remove)).toEqual([...ofRecord("b"), citationsPart("species")]);
    });

    it("says of a draft that is written, shared or deleted which one, and of no published record", async () => {
      expect(await changedBy(() => putAll(engine, [tinyDraft("b", { title: "new" })]))).toEqual(ofDraft("b"));
      expect(await changedBy(() => putAll(engine, [tinyDraft("d", {})]))).toEqual(ofDraft("d"));
      const share = () =>
        engine.store.transaction(async (tx) => {
          const { id } = await tx.users.addUser({ name: "ada", role: "depositor" });
          await tx.shares.put("d", id, "write");
        });
      expect(await changedBy(share)).toEqual(ofDraft("d"));
      const unshare = () =>
        engine.store.transaction(async (tx) => {
          const { id } = (await tx.users.findUser("ada"))!;
          await tx.shares.delete("d", id);
        });
      expect(await changedBy(unshare)).toEqual(ofDraft("d"));
      const remove = () => engine.store.transaction((tx) => tx.records.delete("d", "draft"));
      expect(await changedBy(remove)).toEqual(ofDraft("d"));
    });

    it("says nothing of users", async () => {
      const write = () => engine.store.transaction((tx) => tx.users.addUser({ name: "ada", role: "depositor" }));
      expect(await changedBy(write)).toEqual([]);
    });

    it("says of a term that is written, removed or imported which vocabulary", async () => {
      const ofTerms = [termsPart("species"), termsPart()];
      const put = () => engine.store.transaction((tx) => tx.terms.put("species", item(2, "Changed")));
      expect(await changedBy(put)).toEqual(ofTerms);
      expect(await changedBy(put)).toEqual([]);
      const remove = () => engine.store.transaction((tx) => tx.terms.delete("species", "sp:3"));
      expect(await changedBy(remove)).toEqual(ofTerms);
      expect(await changedBy(() => engine.store.loadTerms("species", terms(4, 5)))).toEqual(ofTerms);
      // So many that a new generation is made of them.
      expect(await changedBy(() => engine.store.loadTerms("species", terms(1, 1_500)))).toEqual(ofTerms);
    });

    it("says of a term that has other names which records are found otherwise", async () => {
      await putAll(engine, [citing("a")], [species("sp:1", "S 1")]);
      const put = () => engine.store.transaction((tx) => tx.terms.put("species", item(1, "Renamed")));
      const changed = await changedBy(put);
      expect(changed).toEqual(expect.arrayContaining([recordPart("a"), recordsPart("tiny"), termsPart("species")]));
      expect(changed).not.toContain(recordsPart("other"));
    });

    it("takes everything for changed after more changes than it looks at one by one", async () => {
      const many = Array.from({ length: 1_001 }, (_, n) => tinyDraft(`d${n}`, {}));
      const before = engine.dataChanges.look();
      await putAll(engine, many);
      engine.dataChanges.look();
      expect(engine.dataChanges.areSame([recordPart("elsewhere")], before)).toBe(false);
      expect(engine.dataChanges.areSame(PARTS, engine.dataChanges.look())).toBe(true);
    }, 60_000);
  });
}
