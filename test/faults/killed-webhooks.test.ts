import { expect, it, onTestFinished } from "vitest";
import { startBindery } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import { startReceiver } from "../support/receiver.js";
import { makeRecord } from "../support/records.js";
import { ALLOWED, addWebhook, idsOf, listWebhooks } from "../support/webhooks.js";

const KILLS = process.env.TEST_LONG === "1" ? 10 : 2;

it.each([
  ["one process", {}],
  ["two processes", { BINDERY_WORKERS: "2" }],
])(
  "webhooks of %s go on after a kill, again and again: nothing is lost, and what comes twice is the same",
  {
    timeout: 30_000 + KILLS * 20_000,
  },
  async (_, env) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const bindery = await startBindery({ env: { ...ALLOWED, ...env } });
    onTestFinished(() => bindery.dispose());
    const alice = await bindery.user("alice");
    await addWebhook(bindery, receiver.url);
    const published: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      for (let n = 0; n < 8; n++) published.push((await publish(alice.client, makeRecord(10 * round + n))).id);
      await bindery.end("SIGKILL");
      await bindery.restart();
    }
    await eventually(async () => {
      expect(idsOf(receiver.received)).toEqual(expect.arrayContaining(published));
      expect(await listWebhooks(bindery)).toMatchObject([{ pending: 0, dead: 0 }]);
    }, 30_000);
    const byChange = new Map<string, Set<string>>();
    for (const { delivery } of receiver.received) {
      const key = `${delivery.change.seq} ${delivery.change.id}`;
      byChange.set(key, (byChange.get(key) ?? new Set()).add(delivery.id));
    }
    for (const ids of byChange.values()) expect(ids.size).toBe(1);
  },
);

it("ends in time while a receiver hangs, and delivers after the next start", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const bindery = await startBindery({ env: ALLOWED });
  onTestFinished(() => bindery.dispose());
  await addWebhook(bindery, receiver.url);
  receiver.behave(() => undefined);
  await publish((await bindery.user("alice")).client, makeRecord(200));
  await eventually(async () => expect(receiver.received).toHaveLength(1));
  const start = performance.now();
  await bindery.end("SIGTERM");
  expect(performance.now() - start).toBeLessThan(6_000);
  receiver.behave(() => 204);
  await bindery.restart();
  await eventually(async () => expect(await listWebhooks(bindery)).toMatchObject([{ pending: 0 }]));
});
