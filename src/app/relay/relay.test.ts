import { rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Heard, hearBackground } from "../../../test/support/background.js";
import { eventually } from "../../../test/support/deposit.js";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { isSigned, type Received, type Receiver, startReceiver } from "../../../test/support/receiver.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { TermContent } from "../../core/term.js";
import type { NewWebhook } from "../../services/api/changes.js";
import { makeRelayServices } from "../../services/changes/webhooks.js";
import { type Relay, startRelay } from "./relay.js";
import { makeSender, type Sender } from "./send-delivery.js";

const OPTIONS = { attemptsMax: 4, retryFirstMs: 20, retryLastMs: 100, pollMs: 10 };

let services: OpenServices;
let heard: Heard;
let receiver: Receiver;
let sender: Sender;
let relay: Relay | undefined;

beforeEach(async () => {
  services = await openServices({ content: "nothing" });
  heard = hearBackground();
  receiver = await startReceiver();
  sender = makeSender({ api: "https://data.example.org/api", allowsPrivate: true, timeoutMs: 300 });
});
afterEach(async () => {
  await relay?.stop();
  relay = undefined;
  sender.close();
  await receiver.close();
  await services.dispose();
});

const run = (options = {}): void => {
  relay = startRelay({ services, send: sender.send, background: heard }, { ...OPTIONS, ...options });
};
const add = (changes: Partial<NewWebhook> = {}) =>
  services.addWebhook({ url: receiver.url, since: "now", allowsPrivate: true, ...changes });
const term = (n: number, title: string): TermContent => ({
  id: `taxid:${n}`,
  title: { en: title },
  props: { rank: "species" },
  status: "active",
});
const put = (n: number, title: string) => services.store.transaction((tx) => tx.terms.put("organisms", term(n, title)));
const load = async (from: number, to: number): Promise<void> => {
  const terms = async function* () {
    for (let n = from; n <= to; n++) yield term(n, `S${n}`);
  };
  await services.store.loadTerms("organisms", terms());
};
const status = async () => (await services.listWebhooks())[0]!;
const isQuiet = (timeoutMs = 10_000) =>
  eventually(async () => {
    expect((await services.relayedWebhooks())[0]!.place.seq).toBe((await services.store.changes.head()).seq);
    expect((await status()).pending).toBe(0);
  }, timeoutMs);
const summaries = (all: readonly Received[]) =>
  all.map(({ delivery: { change } }) => `${change.id} ${change.action} ${change.revision_id}`);

describe("the relay", () => {
  it("delivers each change once if nothing fails, and signs it with the secret", async () => {
    const { secret } = await add();
    run();
    await put(1, "one");
    await put(1, "two");
    await services.store.transaction((tx) => tx.terms.delete("organisms", "taxid:1"));
    await isQuiet();
    expect(summaries(receiver.received)).toEqual(["taxid:1 created 1", "taxid:1 updated 2", "taxid:1 removed 2"]);
    expect(receiver.received.every((got) => isSigned(got, secret))).toBe(true);
    expect(new Set(receiver.received.map(({ delivery }) => delivery.id)).size).toBe(3);
    expect(await status()).toMatchObject({ pending: 0, retrying: 0, dead: 0, last_delivered: expect.any(String) });
  });

  it("sends nothing while the secret cannot be read, counts no try of it, and loses nothing", async () => {
    const { id } = await add();
    // As after a restore without the key.
    rmSync(join(services.folder, "bindery.key"));
    run();
    await put(1, "one");
    await put(2, "two");
    await eventually(async () => expect(await status()).toMatchObject({ has_secret: false, pending: 2 }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toEqual([]);
    expect(await status()).toMatchObject({ pending: 2, retrying: 0, dead: 0 });

    const secret = await services.renewWebhookSecret(id);
    await isQuiet();
    expect(summaries(receiver.received).sort()).toEqual(["taxid:1 created 1", "taxid:2 created 1"]);
    expect(receiver.received.every((got) => isSigned(got, secret))).toBe(true);
    expect((await refusalOf(services.renewWebhookSecret("99"))).code).toBe("PARAMETER_INVALID");
  });

  it("begins with new changes, or with all that exist", async () => {
    await put(1, "before");
    await add();
    await add({ since: "0", url: `${receiver.url}/all` });
    await put(2, "after");
    run();
    await isQuiet();
    await eventually(async () => expect(receiver.received).toHaveLength(3));
    expect(summaries(receiver.received).sort()).toEqual([
      "taxid:1 created 1",
      "taxid:2 created 1",
      "taxid:2 created 1",
    ]);
  });

  it("sends only the changes that the webhook selects", async () => {
    await add({ vocabularies: ["grants"] });
    run();
    await put(1, "one");
    await services.store.transaction((tx) =>
      tx.terms.put("grants", { id: "g:1", title: { en: "G" }, props: {}, status: "active" }),
    );
    await isQuiet();
    expect(summaries(receiver.received)).toEqual(["g:1 created 1"]);
  });

  it("tries again after a failure, in the order of each term, while other terms continue", async () => {
    let failures = 0;
    receiver.behave(({ delivery }) => (delivery.change.id === "taxid:1" && failures++ < 3 ? 500 : 204));
    await add();
    await put(1, "one");
    await put(1, "two");
    await put(2, "other");
    run();
    await isQuiet();
    const order = summaries(receiver.received);
    expect(order.filter((line) => line.startsWith("taxid:1"))).toEqual([
      ...Array.from({ length: 4 }, () => "taxid:1 created 1"),
      "taxid:1 updated 2",
    ]);
    expect(order.indexOf("taxid:2 created 1")).toBeLessThan(3);
    const ids = receiver.received.filter(({ delivery }) => delivery.change.action === "created");
    expect(new Set(ids.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
    expect(await status()).toMatchObject({ dead: 0, last_error: "HTTP 500" });
  });

  it("waits longer after each failure", async () => {
    const times: number[] = [];
    receiver.behave(() => {
      times.push(performance.now());
      return 503;
    });
    await add();
    await put(1, "one");
    run({ attemptsMax: 5, retryFirstMs: 100, retryLastMs: 400 });
    await isQuiet();
    const pauses = times.slice(1).map((time, i) => time - times[i]!);
    expect(pauses).toHaveLength(4);
    for (const [i, least] of [80, 160, 320, 320].entries()) expect(pauses[i]).toBeGreaterThan(least - 5);
  });

  it("gives up after the last try, lists the change, and continues with later ones", async () => {
    receiver.behave(({ delivery }) => (delivery.change.revision_id === 1 ? 500 : 204));
    const { id } = await add();
    await put(1, "one");
    await put(1, "two");
    run();
    await isQuiet();
    expect(summaries(receiver.received)).toEqual([...Array(4).fill("taxid:1 created 1"), "taxid:1 updated 2"]);
    expect(await status()).toMatchObject({ dead: 1, pending: 0 });
    expect(await services.listDeadDeliveries(id)).toMatchObject([
      { attempts: 4, error: "HTTP 500", change: { id: "taxid:1", revision: 1 } },
    ]);

    receiver.behave(() => 204);
    expect(await services.replayWebhook(id, { kind: "dead" })).toBe(1);
    await isQuiet();
    expect(summaries(receiver.received).at(-1)).toBe("taxid:1 created 1");
    expect(await status()).toMatchObject({ dead: 0 });
  });

  it("delivers everything since a cursor again, in its order", async () => {
    const { id } = await add();
    run();
    await put(1, "one");
    const { next } = await services.readChanges({ since: "0", size: 10 });
    await put(2, "two");
    await put(1, "three");
    await isQuiet();
    await services.replayWebhook(id, { kind: "since", cursor: next });
    await eventually(async () => expect(receiver.received).toHaveLength(5));
    await isQuiet();
    expect(summaries(receiver.received).slice(3).sort()).toEqual(["taxid:1 updated 2", "taxid:2 created 1"]);
    await put(3, "four");
    const ahead = await services.readChangeHead();
    await relay!.stop();
    await services.replayWebhook(id, { kind: "since", cursor: next });
    expect(await refusalOf(services.replayWebhook(id, { kind: "since", cursor: ahead }))).toMatchObject({
      code: "PARAMETER_INVALID",
    });
  });

  it("survives a receiver that fails, hangs and closes connections", async () => {
    await add();
    let n = 0;
    receiver.behave((_, response) => {
      n += 1;
      if (n % 4 === 0) return 204;
      if (n % 4 === 1) return 500;
      if (n % 4 === 2) response.destroy();
      return undefined;
    });
    for (let i = 1; i <= 10; i++) await put(i, `S${i}`);
    run({ attemptsMax: 50 });
    await isQuiet();
    const delivered = new Set(summaries(receiver.received));
    expect(delivered.size).toBe(10);
    expect(await status()).toMatchObject({ dead: 0, pending: 0 });
  });

  it("tries seldom if a receiver fails for all records", async () => {
    receiver.behave(() => 500);
    await add();
    await load(1, 300);
    run({ attemptsMax: 100, retryFirstMs: 500, retryLastMs: 1_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receiver.received.length).toBeLessThan(2 * LIMITS.webhookInFlightMax + 3);
    receiver.behave(() => 204);
    await isQuiet();
    expect(new Set(summaries(receiver.received)).size).toBe(300);
  });

  it("sends no more at once than it may, whatever the number of changes", async () => {
    const { webhookInFlightMax: max } = LIMITS;
    const first: ServerResponse[] = [];
    const answer = (responses: readonly ServerResponse[], afterMs: number): void => {
      setTimeout(() => responses.forEach((response) => void response.writeHead(204).end()), afterMs);
    };
    receiver.behave((_, response) => {
      if (first.length === max) answer([response], 2);
      // On a machine of any speed, nothing is answered before the maximum is open, nor for a while after.
      else if (first.push(response) === max) answer(first, 100);
      return undefined;
    });
    await add();
    const count = LIMITS.importTransactionItemsMax + 100;
    await load(1, count);
    run();
    await isQuiet(90_000);
    expect(new Set(summaries(receiver.received)).size).toBe(count);
    expect(receiver.mostAtOnce()).toBe(max);
  }, 100_000);

  it("queues no more than it may, and continues where it stopped", async () => {
    await add();
    const [webhook] = await services.relayedWebhooks();
    await load(1, LIMITS.importTransactionItemsMax);
    const batch = await services.findBatch(webhook!);
    expect(batch!.changes.length).toBeLessThan(LIMITS.importTransactionItemsMax);
    await services.queueDeliveries(batch!);
    // Queueing the same batch again, as by a second relay, changes nothing.
    await services.queueDeliveries(batch!);
    expect(await status()).toMatchObject({ pending: batch!.changes.length });
    const cautious = makeRelayServices(services.store, batch!.changes.length + 3);
    const next = await cautious.findBatch((await services.relayedWebhooks())[0]!);
    expect(next!.changes.map(({ entry }) => entry)).toEqual([1, 2, 3].map((n) => batch!.changes.length + n));
  });

  it("repeats no delivery whose outcome is not written yet", async () => {
    let isAway = true;
    const settleDeliveries: typeof services.settleDeliveries = async (outcomes) => {
      if (isAway) throw fail("STORE_UNAVAILABLE", { reason: "the disk is full" });
      await services.settleDeliveries(outcomes);
    };
    await add();
    await put(1, "one");
    relay = startRelay({ services: { ...services, settleDeliveries }, send: sender.send, background: heard }, OPTIONS);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.received).toHaveLength(1);
    expect(await status()).toMatchObject({ pending: 1 });
    expect(heard.last("webhooks")).toMatchObject({ params: { reason: "the disk is full" } });
    isAway = false;
    await isQuiet();
    expect(heard.last("webhooks")).toBe("success");
    expect(receiver.received).toHaveLength(1);
  });

  it("leaves current deliveries to the next relay", async () => {
    receiver.behave(() => undefined);
    await add();
    await put(1, "one");
    run();
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    await relay!.stop();
    expect(await status()).toMatchObject({ pending: 1, retrying: 0 });
    receiver.behave(() => 204);
    run();
    await isQuiet();
    const [first, second] = receiver.received;
    expect(second!.delivery).toEqual(first!.delivery);
  });
});

describe("adding a webhook", () => {
  it.each<[Partial<NewWebhook>, RegExp]>([
    [{ url: "ftp://example.org/" }, /begins with https/],
    [{ url: "example.org" }, /begins with https/],
    [{ url: "https://a:b@example.org/" }, /must not contain a user name or a password/],
    [{ url: "http://127.0.0.1/" }, /127.0.0.1 is a private address/],
    [{ url: "http://[::ffff:10.0.0.1]/" }, /is a private address/],
    [{ models: ["mts"] }, /no model mts; did you mean/],
    [{ vocabularies: ["organism"] }, /did you mean organisms/],
    [{ kind: "record", vocabularies: ["organisms"] }, /do not belong to a vocabulary/],
    [{ kind: "term", models: ["mst"] }, /do not belong to a model/],
    [{ since: "x" }, /cursor of this feed/],
  ])("refuses %j", async (changes, message) => {
    const input = { url: "https://example.org/", since: "now", allowsPrivate: false, ...changes };
    expect((await refusalOf(services.addWebhook(input))).message).toMatch(message);
    expect(await services.listWebhooks()).toEqual([]);
  });

  it("is in the audit log, as are its removal and each replay", async () => {
    const { id } = await add();
    await services.replayWebhook(id, { kind: "dead" });
    await services.removeWebhook(id);
    expect((await refusalOf(services.removeWebhook(id))).message).toMatch(/no webhook with the id/);
    const lines = await services.store.audit.list({ limit: 3 });
    expect(lines.map(({ action, who, target }) => [action, who, target])).toEqual([
      ["webhook.remove", "operator", id],
      ["webhook.replay", "operator", id],
      ["webhook.add", "operator", id],
    ]);
  });
});
