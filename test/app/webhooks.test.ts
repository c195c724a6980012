import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { eventually, importItems, publish } from "../support/deposit.js";
import { makeLoneOrganism } from "../support/items.js";
import { LOCALHOST_CERTIFICATE } from "../support/localhost-certificate.js";
import { isSigned, type Receiver, startReceiver } from "../support/receiver.js";
import { makeRecord } from "../support/records.js";
import { ALLOWED, addWebhook, idsOf, type ListedWebhook, listWebhooks } from "../support/webhooks.js";

describe.each([["one process", {}] as const, ["two processes", { BINDERY_WORKERS: "2" }] as const])("%s", (_, env) => {
  let bindery: Bindery;
  let alice: TestUser;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    bindery = await startBindery({ env: { ...ALLOWED, ...env } });
    alice = await bindery.user("alice");
  });
  afterAll(async () => {
    await receiver.close();
    await bindery.dispose();
  });

  it("tells a webhook of what is published and imported, soon after it was added", async () => {
    const secret = await addWebhook(bindery, receiver.url);
    expect(secret).toMatch(/^whsec_/);
    const { id } = await publish(alice.client, makeRecord(1));
    const published = performance.now();
    await eventually(async () => expect(idsOf(receiver.received)).toContain(id));
    expect(performance.now() - published).toBeLessThan(5_000);
    const [got] = receiver.received;
    expect(got!.delivery.change.links.self).toBe(`${bindery.url}/api/records/mst/${id}`);
    expect(isSigned(got!, secret)).toBe(true);
    await importItems(bindery, "organisms", [makeLoneOrganism(1), makeLoneOrganism(2)]);
    // The receiver has a change before the service has read its answer.
    await eventually(async () => {
      expect(receiver.received).toHaveLength(3);
      expect(await listWebhooks(bindery)).toMatchObject([{ url: receiver.url, state: "ok", pending: 0, dead: 0 }]);
    });
    expect((await bindery.cli("webhook", "list")).stdout).not.toContain(secret);
    expect(bindery.output()).not.toContain(secret);
  });

  it("is removed with all that was queued", async () => {
    const [{ id }] = (await listWebhooks(bindery)) as [ListedWebhook];
    expect((await bindery.cli("webhook", "remove", id)).code).toBe(0);
    expect(await listWebhooks(bindery)).toEqual([]);
    const before = receiver.received.length;
    await publish(alice.client, makeRecord(300));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(receiver.received).toHaveLength(before);
  });
});

it("sends over TLS to a receiver whose authority the machine trusts, by its name", async () => {
  const receiver = await startReceiver(0, LOCALHOST_CERTIFICATE);
  const folder = mkdtempSync(join(tmpdir(), "bindery-tls-"));
  writeFileSync(join(folder, "ca.pem"), LOCALHOST_CERTIFICATE.cert);
  const bindery = await startBindery({ env: { ...ALLOWED, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") } });
  try {
    const trusted = await addWebhook(bindery, receiver.url);
    await addWebhook(bindery, receiver.url.replace("localhost", "127.0.0.1"));
    const { id } = await publish((await bindery.user("alice")).client, makeRecord(1));
    await eventually(async () => {
      const webhooks = await listWebhooks(bindery);
      expect(webhooks[0]).toMatchObject({ state: "ok", pending: 0 });
      expect(webhooks[1]).toMatchObject({ state: "failing", last_error: "ERR_TLS_CERT_ALTNAME_INVALID" });
    });
    expect(idsOf(receiver.received)).toEqual([id]);
    expect(isSigned(receiver.received[0]!, trusted)).toBe(true);
  } finally {
    await bindery.dispose();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("a service that may not reach private addresses", () => {
  let bindery: Bindery;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    bindery = await startBindery();
  });
  afterAll(async () => {
    await receiver.close();
    await bindery.dispose();
  });

  it("refuses one in the URL, and connects to no name that leads to one", async () => {
    const { code, stderr } = await bindery.cli("webhook", "add", receiver.url);
    expect(code).toBe(1);
    expect(stderr).toContain("127.0.0.1 is a private address; BINDERY_WEBHOOK_PRIVATE=on allows it");
    const alice = await bindery.user("alice");
    await addWebhook(bindery, `http://localhost:${receiver.port}/`, "--model", "mst");
    await publish(alice.client, makeRecord(1));
    await eventually(async () => {
      const webhooks = await listWebhooks(bindery);
      expect(webhooks.at(-1)).toMatchObject({ state: "failing", pending: 1 });
      expect(webhooks.at(-1)!.last_error).toMatch(/is a private address/);
    });
    expect(receiver.received).toEqual([]);
  });

  it.each([
    [["add"], 2],
    [["add", "nonsense"], 1],
    [["add", "https://example.org/", "--model", "nope"], 1],
    [["add", "https://example.org/", "--kind", "draft"], 2],
    [["remove", "99"], 1],
    [["replay", "1"], 2],
    [["replay", "1", "--dead", "--since", "0"], 2],
    [["replay", "99", "--dead"], 1],
    [["list", "--dead", "99"], 1],
  ])("says what is wrong with %j", async (args, code) => {
    const done = await bindery.cli("webhook", ...args);
    expect(done.code).toBe(code);
    expect(done.stderr).not.toBe("");
    expect(done.stderr).not.toMatch(/ {4}at /);
  });
});
