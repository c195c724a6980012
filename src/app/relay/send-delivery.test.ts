import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCALHOST_CERTIFICATE } from "../../../test/support/localhost-certificate.js";
import { isSigned, type Receiver, startReceiver } from "../../../test/support/receiver.js";
import { LIMITS } from "../../core/limits.js";
import { makeWebhookSecret } from "../../core/webhook-delivery.js";
import type { Delivery } from "../../services/api/changes.js";
import { makeSender, type Sender, type SignedWebhook } from "./send-delivery.js";

let receiver: Receiver;
let sender: Sender;

beforeEach(async () => {
  receiver = await startReceiver();
  sender = makeSender({ api: "https://data.example.org/api", allowsPrivate: true, timeoutMs: 400 });
});
afterEach(async () => {
  sender.close();
  await receiver.close();
});

const delivery: Delivery = {
  id: "17",
  attempts: 0,
  change: {
    seq: 5,
    time: "2026-11-21T10:00:00.123456+00:00",
    kind: "record",
    action: "published",
    place: "mst",
    id: "zv0gv-btp27",
    revision: 3,
  },
};

const SECRET = makeWebhookSecret(Buffer.from("x"));

const webhook = (url: string): SignedWebhook => ({
  id: "1",
  url,
  secret: SECRET,
  filter: {},
  created: "",
  place: { seq: 0, time: 0 },
});

const send = (url: string, by = sender) => by.send(webhook(url), delivery, new AbortController().signal);

describe("a delivery", () => {
  it("is a signed POST of the change as the feed has it", async () => {
    expect(await send(`${receiver.url}?a=b`)).toBeUndefined();
    const [request] = receiver.received;
    expect(request!.delivery).toEqual({
      id: "17",
      change: {
        seq: 5,
        time: "2026-11-21T10:00:00.123456+00:00",
        kind: "record",
        action: "published",
        id: "zv0gv-btp27",
        model: "mst",
        revision_id: 3,
        links: { self: "https://data.example.org/api/records/mst/zv0gv-btp27" },
      },
    });
    expect(request!.headers).toMatchObject({
      "bindery-event": "record.published",
      "webhook-id": "17",
      "content-type": "application/json",
    });
    expect(Math.abs(Number(request!.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(5);
    expect(isSigned(request!, SECRET)).toBe(true);
    expect(isSigned(request!, makeWebhookSecret(Buffer.from("y")))).toBe(false);
  });

  it.each([200, 201, 202, 204, 299])("succeeds by %i", async (status) => {
    receiver.behave(() => status);
    expect(await send(receiver.url)).toBeUndefined();
  });

  it.each([
    [301, "HTTP 301: redirects are not followed"],
    [307, "HTTP 307: redirects are not followed"],
    [400, "HTTP 400"],
    [410, "HTTP 410"],
    [500, "HTTP 500"],
  ])("fails by %i", async (status, error) => {
    const other = await startReceiver();
    receiver.behave((_, response) => {
      response.writeHead(status, { location: other.url }).end();
      return undefined;
    });
    expect(await send(receiver.url)).toBe(error);
    expect(other.received).toEqual([]);
    await other.close();
  });

  it("fails if no answer begins in time, and succeeds by its status alone", async () => {
    receiver.behave(() => undefined);
    const start = performance.now();
    expect(await send(receiver.url)).toBe("it took too long");
    expect(performance.now() - start).toBeLessThan(1_500);
    receiver.behave((_, response) => {
      response.writeHead(200).write("x");
      return undefined;
    });
    expect(await send(receiver.url)).toBeUndefined();
  });

  it("fails when the connection is closed, or nobody listens", async () => {
    receiver.behave((_, response) => {
      response.destroy();
      return undefined;
    });
    expect(await send(receiver.url)).toBe("ECONNRESET");
    await receiver.close();
    expect(await send(receiver.url)).toBe("ECONNREFUSED");
    receiver = await startReceiver();
  });

  it("reads little of a long answer", async () => {
    let written = 0;
    receiver.behave((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && written < 2 ** 30) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once("drain", more);
        }
      };
      more();
      return undefined;
    });
    expect(await send(receiver.url)).toBeUndefined();
    expect(written).toBeLessThan(LIMITS.webhookAnswerBytesMax + 64 * 2 ** 20);
  });

  it("is sent again at once if a kept connection turns out to be closed", async () => {
    expect(await send(receiver.url)).toBeUndefined();
    const { port } = receiver;
    await receiver.close();
    receiver = await startReceiver(port);
    expect(await send(receiver.url)).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  it("is not sent to a receiver whose certificate cannot be trusted", async () => {
    const secure = await startReceiver(0, LOCALHOST_CERTIFICATE);
    expect(await send(secure.url)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(secure.received).toEqual([]);
    await secure.close();
  });

  it("ends with its signal", async () => {
    receiver.behave(() => undefined);
    const ending = new AbortController();
    const result = sender.send(webhook(receiver.url), delivery, ending.signal);
    setTimeout(() => ending.abort(), 50);
    expect(await result).toBe("ABORT_ERR");
  });
});

describe("an address that is private", () => {
  it.each(["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1", "0"])(
    "gets no connection as %s",
    async (host) => {
      let connections = 0;
      const server = createServer(() => {
        connections += 1;
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const strict = makeSender({ api: "", allowsPrivate: false, timeoutMs: 1_000 });
      const error = await send(`http://${host}:${port}/`, strict);
      strict.close();
      await new Promise((resolve) => server.close(resolve));
      expect(error).toMatch(/is a private address; BINDERY_WEBHOOK_PRIVATE=on allows it/);
      expect(connections).toBe(0);
    },
  );
});
