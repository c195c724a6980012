import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import type { Engine } from "../../src/ports/engine.js";
import type { DeliveryOutcome } from "../../src/ports/webhooks.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  putAll,
  START_MICROS,
  tinyRecord,
} from "./engine-under-test.js";

const NOW = START_MICROS / 1000 + 60_000;
const HOOK = { url: "https://hook.example", filter: { kind: "record" }, secret: "s" } as const;

/** What every store must do with webhooks and their deliveries. */
export function webhooksContract(under: EngineUnderTest): void {
  describe(`webhooks contract: ${under.name}`, () => {
    let engine: Engine;
    beforeEach(async () => {
      engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
    });
    afterEach(async () => {
      await engine.close();
      await under.cleanUp();
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

    it("goes back to a place, and queues again from there", async () => {
      const { id } = await add();
      await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {})]);
      await queueAll(id);
      await engine.store.transaction((tx) => tx.webhooks.rewind(id, FIRST_PLACE));
      expect(await engine.store.webhooks.countPending(id)).toBe(0);
      await queueAll(id);
      expect((await due(id)).map(({ said }) => said)).toEqual(["a 1", "b 1"]);
    });
  });
}
