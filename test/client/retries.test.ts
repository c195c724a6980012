import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { BinderyError, type ClientOptions, createClient } from "../../src/client/index.js";
import { answer, hangUp, type ScriptedServer, startScripted } from "../support/scripted-server.js";

const failure = (status: number, code: string) => ({ status, code, message: "Later.", errors: [], request_id: "r-1" });
const busy = (seconds = 0) => answer(503, failure(503, "STORE_UNAVAILABLE"), { "retry-after": String(seconds) });
const slower = answer(429, failure(429, "RATE_LIMITED"), { "retry-after": "0" });
const fine = answer(200, { id: "zv0gv-btp27" });

async function setUp(script: Parameters<typeof startScripted>, options: Partial<ClientOptions> = {}) {
  const server = await startScripted(...script);
  onTestFinished(() => server.close());
  return { server, mst: createClient({ url: server.url, ...options }).model("mst") };
}

const keysOf = ({ arrived }: ScriptedServer) => arrived.map(({ headers }) => headers["idempotency-key"]);

describe("what failed for a passing reason", () => {
  it("is read again until it is there", async () => {
    const { server, mst } = await setUp([busy(), slower, fine]);
    expect(await mst.read("zv0gv-btp27")).toEqual({ id: "zv0gv-btp27" });
    expect(server.arrived).toHaveLength(3);
  });

  it("is sent again with the same key and body where it is a POST, also when the answer was lost", async () => {
    const { server, mst } = await setUp([
      busy(),
      hangUp,
      answer(409, failure(409, "IDEMPOTENCY_KEY_BUSY"), { "retry-after": "0" }),
      fine,
    ]);
    await mst.publish("zv0gv-btp27", { revision: 3 });
    expect(server.arrived).toHaveLength(4);
    expect(new Set(keysOf(server)).size).toBe(1);
    expect(keysOf(server)[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(server.arrived.map(({ headers }) => headers["if-match"])).toEqual(Array(4).fill('"3"'));
  });

  it("has another key in each call, or the one that is given", async () => {
    const { server, mst } = await setUp([fine]);
    await mst.edit("zv0gv-btp27");
    await mst.edit("zv0gv-btp27");
    await mst.edit("zv0gv-btp27", { idempotencyKey: "mine" });
    expect(new Set(keysOf(server)).size).toBe(3);
    expect(keysOf(server)[2]).toBe("mine");
  });

  it("is thrown where a DELETE may have been done, and sent again where it was refused for its rate", async () => {
    const { server, mst } = await setUp([slower, busy()]);
    await expect(mst.deleteDraft("zv0gv-btp27")).rejects.toMatchObject({ status: 503 });
    expect(server.arrived).toHaveLength(2);
  });

  it("is thrown after as many tries as were asked for", async () => {
    const { server, mst } = await setUp([busy()], { retries: 1 });
    const error = await mst.read("zv0gv-btp27").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BinderyError);
    expect(error).toMatchObject({ status: 503, code: "STORE_UNAVAILABLE", retryAfter: 0, requestId: "r-1" });
    expect(server.arrived).toHaveLength(2);
  });

  it("is thrown at once where the service asks for a longer pause than was allowed", async () => {
    const { server, mst } = await setUp([busy(61)]);
    await expect(mst.read("zv0gv-btp27")).rejects.toMatchObject({ retryAfter: 61 });
    expect(server.arrived).toHaveLength(1);
  });
});

describe("a signal", () => {
  it("ends a call, with its reason", async () => {
    const { mst } = await setUp([() => undefined]);
    await expect(mst.read("zv0gv-btp27", { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("ends the pause before the next try", async () => {
    const { server, mst } = await setUp([busy(30)]);
    const leave = new AbortController();
    const reading = mst.read("zv0gv-btp27", { signal: leave.signal });
    while (server.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => leave.abort(new Error("gone")), 50);
    await expect(reading).rejects.toThrow("gone");
    expect(server.arrived).toHaveLength(1);
  });
});

describe("what is no answer of the service's", () => {
  it("is told from a failure of it", async () => {
    const page = answer(502, undefined, { "content-type": "text/html" });
    const { mst } = await setUp([page]);
    await expect(mst.read("zv0gv-btp27")).rejects.toMatchObject({ status: 502, code: "UNEXPECTED_ANSWER" });
    const { mst: other } = await setUp([(response) => response.writeHead(200).end("<h1>Hello</h1>")]);
    await expect(other.read("zv0gv-btp27")).rejects.toMatchObject({ status: 200, code: "UNEXPECTED_ANSWER" });
  });

  it("is a service that is not there", async () => {
    const { server, mst } = await setUp([fine], { retries: 0 });
    await server.close();
    const error = await mst.read("zv0gv-btp27").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 0, code: "UNREACHABLE", errors: [] });
    expect((error as BinderyError).message).toContain(`${server.url}/api/records/mst/zv0gv-btp27`);
    expect((error as BinderyError).cause).toBeInstanceOf(Error);
  });
});

it("sends what it is told to: token, path below the address, and a fetch of the caller's own", async () => {
  const server = await startScripted(fine);
  onTestFinished(() => server.close());
  const seen: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    seen.push(String(input));
    return globalThis.fetch(input, init);
  };
  const bindery = createClient({ url: `${server.url}/below/`, token: "bnd_x", fetch });
  await bindery.vocabulary("chemicals").get("inchikey:A/B C");
  expect(seen).toEqual([`${server.url}/below/api/vocabularies/chemicals/inchikey%3AA%2FB%20C`]);
  expect(server.arrived[0]).toMatchObject({ headers: { authorization: "Bearer bnd_x" } });
  expect(() => createClient({ url: "records.example.org" })).toThrow(TypeError);
});

describe("a result that is read as it comes", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => `${JSON.stringify({ id: `é${n}` })}\n`).join("");
  const idsOf = async (hits: AsyncIterable<{ readonly id: string }>): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of hits) ids.push(id);
    return ids;
  };

  it("is put together from pieces, wherever they are cut", async () => {
    const bytes = new TextEncoder().encode(lines(3));
    const { mst } = await setUp([
      (response) => {
        response.writeHead(200);
        const send = (at: number): void => {
          if (at === bytes.length) response.end();
          else response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
        };
        send(0);
      },
    ]);
    expect(await idsOf(mst.stream())).toEqual(["é0", "é1", "é2"]);
  });

  it("begins again only before its beginning, and says where it broke off", async () => {
    const { server, mst } = await setUp([
      busy(),
      (response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write(lines(2), () => response.destroy());
      },
    ]);
    const read: string[] = [];
    const broken = (async () => {
      for await (const { id } of mst.stream()) read.push(id);
    })();
    await expect(broken).rejects.toMatchObject({ name: "BinderyError", code: "UNREACHABLE", status: 0 });
    expect(read).toEqual(["é0", "é1"]);
    expect(server.arrived).toHaveLength(2);
  });

  it("ends the request where its reader leaves, and where its signal says so", async () => {
    const closed: Promise<unknown>[] = [];
    const endless = (response: ServerResponse): void => {
      closed.push(once(response, "close"));
      response.writeHead(200);
      response.write(lines(1));
    };
    const { mst } = await setUp([endless]);
    for await (const { id } of mst.stream()) {
      expect(id).toBe("é0");
      break;
    }
    await closed[0];
    const controller = new AbortController();
    const reading = idsOf(mst.stream({}, { signal: controller.signal }));
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 50);
    await expect(reading).rejects.toBe(reason);
    await closed[1];
  });
});
