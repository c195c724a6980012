import { describe, expect, it } from "vitest";
import { type FeedChange, FIRST_PLACE } from "../../src/core/feed/feed.js";
import { LIMITS } from "../../src/core/limits.js";
import type { Engine } from "../../src/ports/engine.js";
import { type EngineUnderTest, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";
import { seeded } from "../support/random.js";
import { SEED } from "../support/seed.js";

/** Texts that services let through, and that some store refuses or changes. */
const KEPT: readonly string[] = [
  "a\0b",
  "\0",
  "a\ue000b",
  "\ue0000000",
  "\ue000\ue000",
  "a\u{10ffff}b",
  "e\u0301 \ufeff \u2028 \uffff",
  `a'"\\\\{},$1 %_ NULL`,
];

/** Half of a surrogate pair is refused in texts that are kept, but may be asked for, and stand in JSON. */
const HALVES: readonly string[] = ["a\ud800b", "\udfff", "\udc00\ud800"];
const ASKED: readonly string[] = [...KEPT, ...HALVES];

/** What every store must do with texts of characters that are hard to keep. */
export function oddTextsContract(under: EngineUnderTest): void {
  describe(`odd texts contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });

    it("keeps names of users and tokens apart, and finds users by them", async () => {
      const names = KEPT.map((text) => `${text}.`);
      for (const [n, text] of KEPT.entries()) {
        const { id } = await engine.store.transaction((tx) => tx.users.addUser({ name: text, role: "depositor" }));
        await engine.store.transaction((tx) =>
          tx.users.addToken({ user: id, name: text, scopes: ["admin"], digest: `${n}` }),
        );
        expect((await engine.store.users.findUser(text))?.id).toBe(id);
        expect((await engine.store.users.findToken(`${n}`))?.token.name).toBe(text);
        await engine.store.transaction((tx) => tx.users.rename(id, names[n]!));
        expect(await engine.store.users.getUser(id)).toMatchObject({ name: names[n] });
      }
      const listed = (await engine.store.users.listUsers()).map(({ name }) => name);
      expect([...listed].sort()).toEqual([...names].sort());
      for (const text of HALVES) {
        expect(await engine.store.users.findUser(text)).toBeUndefined();
        expect(await engine.store.transaction((tx) => tx.users.findUser(text))).toBeUndefined();
        expect(await engine.store.users.findToken(text)).toBeUndefined();
      }
    });

    it("keeps what the audit log says, however long", async () => {
      const long = "\ue000".repeat(LIMITS.termIdLengthMax);
      for (const text of [...KEPT, long]) {
        const actor = { kind: "user", user: "1", name: text, role: "admin", token: "1", scopes: [] } as const;
        await engine.store.transaction((tx) =>
          tx.audit(actor, { action: "term.put", kind: "term", place: text, id: text }),
        );
        for (const filter of [{ target: text }, { who: text }]) {
          const found = await engine.store.audit.list({ ...filter, limit: 9 });
          expect(found.map(({ who, place, target }) => [who, place, target])).toEqual([[text, text, text]]);
        }
      }
      for (const text of HALVES) {
        expect(await engine.store.audit.list({ target: text, who: text, action: text, limit: 9 })).toEqual([]);
      }
    });

    it("keeps answers by their keys", async () => {
      for (const key of KEPT) {
        const answer = { request: key, outcome: { [key]: [...ASKED] } };
        await engine.store.transaction((tx) => tx.answers.keep("1", key, answer));
        expect(await engine.store.transaction((tx) => tx.answers.find("1", key))).toEqual(answer);
      }
      for (const key of HALVES) {
        expect(await engine.store.transaction((tx) => tx.answers.find("1", key))).toBeUndefined();
      }
    });

    it("keeps webhooks, and says why a delivery failed", async () => {
      for (const text of KEPT) {
        const filter = { models: [...ASKED], vocabularies: [text] };
        const hook = await engine.store.transaction((tx) =>
          tx.webhooks.add({ url: `https://h.example/${text}`, secret: text, filter, place: FIRST_PLACE }),
        );
        expect(await engine.store.webhooks.get(hook.id)).toEqual(hook);
        expect(hook).toMatchObject({ url: `https://h.example/${text}`, secret: text, filter });
        const change: FeedChange = {
          ...{ seq: 1, time: "2026-11-21T10:00:00.000000+00:00", kind: "term", action: "created", revision: 1 },
          ...{ place: text, id: text.padEnd(LIMITS.termIdLengthMax, "\ue000") },
        };
        const [webhook, from, next] = [hook.id, FIRST_PLACE, { seq: 1, time: 1 }];
        await engine.store.transaction((tx) => tx.webhooks.queue({ webhook, from, changes: [change], next }));
        const [delivery] = await engine.store.webhooks.due(hook.id, Number.MAX_SAFE_INTEGER, 9);
        expect(delivery?.change).toEqual(change);
        await engine.store.transaction((tx) => tx.webhooks.settle([{ id: delivery!.id, kind: "dead", error: text }]));
        expect(await engine.store.webhooks.dead(hook.id, 9)).toMatchObject([{ change, error: text }]);
        expect((await engine.store.webhooks.statuses()).at(-1)).toMatchObject({ last_error: text });
      }
      for (const text of ASKED) {
        expect(await engine.store.webhooks.get(text)).toBeUndefined();
        expect(await engine.store.transaction((tx) => tx.webhooks.remove(text))).toBe(false);
      }
    });

    it("gives back records as they were, and knows none by an id that cannot exist", async () => {
      const metadata = {
        title: ASKED.join(" "),
        keywords: [...ASKED],
        [ASKED.join()]: Object.fromEntries([["\ud800", 1]]),
      };
      await putAll(engine, [tinyRecord("a", metadata), tinyDraft("b", metadata)]);
      for (const [id, state] of [
        ["a", "published"],
        ["b", "draft"],
      ] as const) {
        const stored = await engine.store.records.get(id, state);
        expect(JSON.parse(stored!.json).metadata).toEqual(metadata);
      }
      const ask = async ({ records, shares }: Pick<Engine["store"], "records" | "shares">, id: string) => [
        await records.get(id, "draft"),
        await records.getLatest(id),
        await records.getTombstone(id),
        await records.publicModelOf(id),
        await records.lastRevision(id),
        await records.isTaken(id),
        await records.listVersions(id),
        await shares.permissionOf(id, "1"),
        await shares.list(id),
      ];
      const nothing = [undefined, undefined, undefined, undefined, 0, false, [], undefined, []];
      for (const id of ASKED) {
        expect(await ask(engine.store, id)).toEqual(nothing);
        expect(await engine.store.transaction((tx) => ask(tx, id))).toEqual(nothing);
      }
    });

    it("knows documents of imports again by their keys", async () => {
      for (const key of KEPT) {
        const document = { model: "tiny", owner: "1", key };
        await engine.store.transaction((tx) => tx.imports.keep(document, { id: key, digest: key }));
        expect(await engine.store.imports.find(document)).toEqual({ id: key, digest: key });
      }
      for (const key of HALVES) {
        expect(await engine.store.imports.find({ model: "tiny", owner: "1", key })).toBeUndefined();
      }
    });

    it("keeps terms with their ids, titles, synonyms and parents", async () => {
      for (const text of KEPT) {
        const id = `sp:${text}`;
        const parent = `sp:above ${text}`;
        const synonyms = [{ name: `also ${text}`, kind: "synonym" as const, lang: "en" }];
        await putTerms(engine, [item(parent, text), item(id, text, { parent, synonyms, props: { rank: text } })]);
        const found = await engine.store.terms.get("species", id);
        if (found?.kind !== "found") throw new Error(`${id} is ${found?.kind}`);
        expect(found.ancestors.map((ancestor) => ancestor.id)).toEqual([parent]);
        expect(JSON.parse(found.term.json)).toMatchObject({ id, title: { en: text }, synonyms, props: { rank: text } });
        expect(await engine.store.terms.childIds("species", parent)).toEqual([id]);
        expect((await engine.store.terms.getMany("species", [id])).map((each) => each.id)).toEqual([id]);
        const [cited] = await engine.store.terms.cite([{ vocabulary: "species", id }]);
        expect(cited).toMatchObject({ reference: { id }, term: { id, title: { en: text } } });
        expect((await engine.store.terms.titles("species", [id], "en")).get(id)?.text).toBe(text);
      }
    });

    it("keeps terms under the longest ids, however many bytes these take", async () => {
      const random = seeded(SEED);
      const any = (share: number) => (): string =>
        random.next() < share ? "\ue000" : String.fromCharCode(random.integer(0x4e00, 0x9fff));
      const long = (length: number, share: number): string => Array.from({ length }, any(share)).join("");
      // More bytes than these take when they are compressed no id has: what needs most of them repeats itself.
      for (const share of [0, 0.25, 0.5, 0.75, 1]) {
        const [id, above, heir] = ["i", "p", "h"].map((first) => first + long(LIMITS.termIdLengthMax - 1, share));
        const synonyms = [{ name: long(170, share), kind: "synonym" as const }];
        await putTerms(engine, [item(above!, "Above"), item(heir!, "Heir")]);
        const changes = { parent: above!, synonyms, status: "deprecated", replaced_by: heir! } as const;
        await engine.store.loadTerms(
          "species",
          (async function* () {
            yield item(id!, "Long", changes);
          })(),
        );
        expect(await engine.store.terms.childIds("species", above!)).toEqual([id]);
        expect((await engine.store.terms.getExact("species", id!))?.ancestors.map((each) => each.id)).toEqual([above]);
        await engine.store.transaction((tx) => tx.terms.delete("species", id!));
        expect(await engine.store.terms.get("species", id!)).toEqual({ kind: "moved", to: heir });
      }
    });

    it("tells of terms in its feed by the ids that they have", async () => {
      await putTerms(engine, [item(1, "one"), ...KEPT.map((text) => item(`sp:${text}`, "odd"))]);
      await engine.store.loadTerms(
        "species",
        (async function* () {
          for (const text of KEPT) yield item(`sp:loaded ${text}`, "odd");
        })(),
      );
      const { changes } = await engine.store.changes.page({ after: FIRST_PLACE, limit: 99 });
      const ids = [...KEPT.map((text) => `sp:${text}`), ...KEPT.map((text) => `sp:loaded ${text}`)];
      expect(changes.map(({ id }) => id)).toEqual(["sp:1", ...ids]);
    });

    it("knows no term by an id that cannot exist", async () => {
      const references = ASKED.map((text) => ({ vocabulary: "species", id: text }));
      expect(await engine.store.terms.cite(references)).toEqual([]);
      expect(await engine.store.terms.getMany("species", ASKED)).toEqual([]);
      for (const id of ASKED) {
        expect(await engine.store.terms.get("species", id)).toBeUndefined();
        expect(await engine.store.terms.getExact("species", id)).toBeUndefined();
        expect(await engine.store.transaction((tx) => tx.terms.get("species", id))).toBeUndefined();
        expect(await engine.store.terms.citations("species", id)).toBe(0);
        expect(await engine.store.terms.children("species", id)).toBe(0);
        expect(await engine.store.terms.named("species", [id], 5)).toEqual([]);
      }
    });
  });
}
