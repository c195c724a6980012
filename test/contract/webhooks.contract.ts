import { describe, expect, it } from "vitest";
import { type FeedChange, FIRST_PLACE } from "../../src/core/feed/feed.js";
import { LIMITS } from "../../src/core/limits.js";
import type { DeliveryOutcome } from "../../src/ports/changes.js";
import type { Engine } from "../../src/ports/engine.js";
import { type EngineUnderTest, putAll, START_MICROS, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const NOW = START_MICROS / 1000 + 60_000;
const HOOK = { url: "https://hook.example", filter: { kind: "record" }, secret: "s" } as const;

/** What every store must do with webhooks and their deliveries. */
export function webhooksContract(under: EngineUnderTest): void {
  describe(`webhooks contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    const add = () => engine.store.transaction((tx) => tx.webhooks.add({ ...HOOK, place: FIRST_PLACE }));
    const settle = (...outcomes: DeliveryOutcome[]) => engine.store.transaction((tx) => tx.webhooks.settle(outcomes));
    const queueAll = async (webhook: string) => {
      const { place } = (await engine.store.webhooks.get(webhook))!;
      const { changes, next } = await engine.store.changes.page({ after: place, limit: 100 });
      await engine.store.transaction((tx) => tx.webhooks.queue({ webhook, from: place, changes, next }));
      return { webhook, from: place, changes, next };
    };
    const due = async (webhook: string) => {
      const found = await engine.store.webhooks.due(webhook, NOW, 10);
      return found.map(({ id, change, attempts }) => ({ id, said: `${change.id} ${change.revision}`, attempts }));
    };

    it("keeps a webhook with its secret, which the status leaves out, until it is removed", async () => {
      const hook = await add();
      expect(await engine.store.webhooks.list()).toEqual([hook]);
      expect(hook).toMatchObject({ ...HOOK, place: FIRST_PLACE });
      const [status] = await engine.store.webhooks.statuses();
      expect(status).toMatchObject({ id: hook.id, has_secret: true, pending: 0, retrying: 0, dead: 0 });
      expect(JSON.stringify(status)).not.toContain('secret":"s');
      const setSecret = (id: string) => engine.store.transaction((tx) => tx.webhooks.setSecret(id, "t"));
      expect(await setSecret(hook.id)).toBe(true);
      expect((await engine.store.webhooks.get(hook.id))?.secret).toBe("t");
      const remove = () => engine.store.transaction((tx) => tx.webhooks.remove(hook.id));
      expect([await remove(), await remove()]).toEqual([true, false]);
      expect(await setSecret(hook.id)).toBe(false);
    });

    it("queues a batch once: only where the webhook is still at its beginning", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {})]);
      const batch = await queueAll(id);
      await engine.store.transaction((tx) => tx.webhooks.queue(batch));
      expect(await engine.store.webhooks.countPending(id)).toBe(2);
    });

    it("has only the earliest delivery of a record due", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {}), tinyRecord("a", {}, { revision_id: 2 })]);
      await queueAll(id);
      const first = await due(id);
      expect(first.map(({ said }) => said)).toEqual(["a 1", "b 1"]);
      await settle(...first.map((delivery) => ({ id: delivery.id, kind: "delivered" }) as const));
      expect((await due(id)).map(({ said }) => said)).toEqual(["a 2"]);
    });

    it("tries again when it is told to, gives up, and takes up again what was given up", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {})]);
      await queueAll(id);
      const [delivery] = await due(id);
      await settle({ id: delivery!.id, kind: "retry", due: NOW + 1, error: "busy" });
      expect(await due(id)).toEqual([]);
      expect(await engine.store.webhooks.due(id, NOW + 1, 10)).toMatchObject([{ attempts: 1, error: "busy" }]);
      await settle({ id: delivery!.id, kind: "dead", error: "gone" });
      expect(await engine.store.webhooks.dead(id, 10)).toMatchObject([{ id: delivery!.id, error: "gone" }]);
      expect(await engine.store.transaction((tx) => tx.webhooks.reviveDead(id))).toBe(1);
      expect(await due(id)).toMatchObject([{ id: delivery!.id, attempts: 0 }]);
    });

    it("has a later change of a record wait with the one that is tried again", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {})]);
      await queueAll(id);
      const [first] = await due(id);
      await settle({ id: first!.id, kind: "retry", due: NOW + 1, error: "busy" });
      await putAll(engine, [tinyRecord("a", {}, { revision_id: 2 })]);
      await queueAll(id);
      await settle({ id: first!.id, kind: "delivered" });
      expect(await due(id)).toEqual([]);
      expect(await engine.store.webhooks.due(id, NOW + 1, 10)).toMatchObject([{ change: { id: "a", revision: 2 } }]);
    });

    it("goes back to a place, and queues again from there", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {})]);
      await queueAll(id);
      await engine.store.transaction((tx) => tx.webhooks.rewind(id, FIRST_PLACE));
      expect(await engine.store.webhooks.countPending(id)).toBe(0);
      await queueAll(id);
      expect((await due(id)).map(({ said }) => said)).toEqual(["a 1", "b 1"]);
    });

    it("queues a batch once when relays come with it at the same moment, whatever is settled meanwhile", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {})]);
      await queueAll(id);
      const [first] = await due(id);
      await putAll(engine, [tinyRecord("a", {}, { revision_id: 2 }), tinyRecord("b", {})]);
      const from = (await engine.store.webhooks.get(id))!.place;
      const { changes, next } = await engine.store.changes.page({ after: from, limit: 100 });
      const queue = () => engine.store.transaction((tx) => tx.webhooks.queue({ webhook: id, from, changes, next }));
      const retry = () => settle({ id: first!.id, kind: "retry", due: NOW + 1, error: "busy" });
      await Promise.all([queue(), retry(), queue(), queue()]);
      expect(await engine.store.webhooks.countPending(id)).toBe(3);
      expect((await due(id)).map(({ said }) => said)).toEqual(["b 1"]);
      await settle({ id: first!.id, kind: "delivered" });
      // What waited behind it is due when it was.
      expect((await due(id)).map(({ said }) => said)).toEqual(["b 1"]);
      const later = await engine.store.webhooks.due(id, NOW + 1, 10);
      expect(later.map(({ change }) => `${change.id} ${change.revision}`)).toEqual(["b 1", "a 2"]);
    });

    it("counts webhooks as if alone: of those added at once no more than there may be", async () => {
      const addSome = () =>
        engine.store.transaction(async (tx) => {
          if ((await tx.webhooks.list()).length >= 2) return;
          await tx.webhooks.add({ ...HOOK, place: FIRST_PLACE });
        });
      await Promise.all([1, 2, 3, 4, 5].map(addSome));
      expect(await engine.store.webhooks.list()).toHaveLength(2);
    });

    it("settles many at once, each of its webhook", async () => {
      const hooks = [await add(), await add()];
      await putAll(
        engine,
        ["a", "b", "c", "d"].map((id) => tinyRecord(id, {})),
      );
      for (const { id } of hooks) await queueAll(id);
      const [ones, others] = [await due(hooks[0]!.id), await due(hooks[1]!.id)];
      await settle(
        ...ones.slice(0, 2).map(({ id }) => ({ id, kind: "delivered" }) as const),
        { id: ones[2]!.id, kind: "dead", error: "first" },
        { id: ones[3]!.id, kind: "dead", error: "last" },
        { id: others[0]!.id, kind: "retry", due: NOW + 1, error: "other" },
        { id: "999", kind: "retry", due: NOW + 1, error: "unknown" },
      );
      const [one, other] = await engine.store.webhooks.statuses();
      expect(one).toMatchObject({ pending: 0, retrying: 0, dead: 2, last_error: "last" });
      expect(one).toMatchObject({ last_delivered: expect.any(String), last_failed: expect.any(String) });
      expect(other).toMatchObject({ pending: 4, retrying: 1, dead: 0, last_error: "other" });
      expect(other?.last_delivered).toBeUndefined();
      const dead = await engine.store.webhooks.dead(hooks[0]!.id, 10);
      expect(dead.map(({ error }) => error)).toEqual(["last", "first"]);
    });

    it("keeps of what was given up the latest, of each webhook", async () => {
      const hooks = [await add(), await add()];
      const changes = Array.from(
        { length: LIMITS.webhookDeadMax + 2 },
        (_, n): FeedChange => ({
          ...{ seq: 1, entry: n + 1, time: "2026-11-21T10:00:00.000000+00:00", kind: "term", action: "created" },
          ...{ place: "species", id: `sp:${n}`, revision: 1 },
        }),
      );
      const next = { seq: 1, time: 1 };
      for (const [n, { id }] of hooks.entries()) {
        const some = n === 0 ? changes : changes.slice(0, 3);
        await engine.store.transaction((tx) =>
          tx.webhooks.queue({ webhook: id, from: FIRST_PLACE, changes: some, next }),
        );
        const queued = await engine.store.webhooks.due(id, NOW, changes.length);
        await settle(...queued.map((delivery) => ({ id: delivery.id, kind: "dead", error: "gone" }) as const));
      }
      expect((await engine.store.webhooks.statuses()).map(({ dead }) => dead)).toEqual([LIMITS.webhookDeadMax, 3]);
      const dead = await engine.store.webhooks.dead(hooks[0]!.id, changes.length);
      expect(dead.map(({ change }) => change.entry)).toEqual(
        changes
          .slice(2)
          .map(({ entry }) => entry)
          .reverse(),
      );
    });

    it("has due what was put off too far by a clock that was wrong, where nothing else is", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {})]);
      await queueAll(id);
      const far = NOW + 3 * LIMITS.webhookRetryLastMs;
      const [a, b] = await due(id);
      await settle({ id: a!.id, kind: "retry", due: far, error: "busy" });
      expect((await due(id)).map(({ said }) => said)).toEqual(["b 1"]);
      await settle({ id: b!.id, kind: "retry", due: far, error: "busy" });
      expect((await due(id)).map(({ said }) => said)).toEqual(["a 1", "b 1"]);
    });
  });
}
