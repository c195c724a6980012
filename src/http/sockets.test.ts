import { METHODS } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { LIMITS } from "../core/limits.js";

let server: InProcessServer;
let port: number;
let token: string;

beforeAll(async () => {
  server = await startInProcess();
  token = await server.token("alice");
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = server.app.server.address() as AddressInfo);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes the connection. */
function talk(bytes: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = Buffer.concat(chunks)
        .toString()
        .split(/\r\n\r\n(.*)/s);
      resolve({ status: Number(head.slice(9, 12)), headers: head.toLowerCase(), body });
    });
  });
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n");

describe("what is no HTTP", () => {
  it.each([
    ["a broken request line", "NONSENSE\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 400, "REQUEST_MALFORMED"],
    ["a URL with raw bytes", get("/api/search?q=\xb5M"), 400, "REQUEST_MALFORMED"],
    [
      "a bad length",
      "POST /api/records/mst HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
      400,
      "REQUEST_MALFORMED",
    ],
    ["headers without end", `GET / HTTP/1.1\r\nX: ${"a".repeat(2_000_000)}\r\n\r\n`, 431, "URL_TOO_LONG"],
    ["a URL without end", `GET /${"a".repeat(2_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, "URL_TOO_LONG"],
  ])("gets our shape: %s", async (_name, bytes, status, code) => {
    const answer = await talk(bytes);
    expect(JSON.parse(answer.body)).toMatchObject({ status, code, errors: [] });
    expect(answer.status).toBe(status);
    expect(answer.headers).toContain("x-request-id: ");
  });
});

describe("an unusual request", () => {
  it.each([
    ["without Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 200],
    ["of HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", 200],
    ["with a whole URL", get("http://elsewhere.org/healthz"), 200],
    ["with an expectation that nobody knows", get("/healthz", "Expect: the-unexpected"), 200],
    ["to upgrade", get("/healthz", "Upgrade: h2c").replace("Connection: close", "Connection: Upgrade, close"), 200],
    ["with a method that nobody has here", get("/api/search").replace("GET", "PROPFIND"), 405],
    ["for the server as a whole", get("*").replace("GET", "OPTIONS"), 400],
    ["with raw quotes and brackets", get('/api/vocabularies/organisms?q="coli"&x[]={}'), 200],
  ])("is answered: %s", async (_name, bytes, status) => {
    expect((await talk(bytes)).status).toBe(status);
  });

  it("just over the limit gets a whole answer, with the headers of all others", async () => {
    const answer = await talk(get(`/api/search?q=${"a".repeat(LIMITS.urlBytesMax)}`));
    expect(answer.status).toBe(431);
    expect(answer.headers).toContain("access-control-allow-origin: *");
  });
});

describe("a method", () => {
  const known = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"];

  it.each(METHODS.filter((method) => !known.includes(method)))("that no path has is a 405: %s", async (method) => {
    for (const more of [[], ["Content-Type: text/xml", "Content-Length: 4"]]) {
      const answer = await talk(
        `${get("/api/search", ...more).replace("GET", method)}${more.length > 0 ? "<a/>" : ""}`,
      );
      expect(JSON.parse(answer.body)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" });
      expect(answer.status).toBe(405);
      expect(answer.headers).toContain("\r\nallow: get, head\r\n");
    }
    const nowhere = await talk(get("/api/nothing").replace("GET", method));
    expect([nowhere.status, JSON.parse(nowhere.body).code]).toEqual([404, "PATH_NOT_FOUND"]);
  });

  it("that Node's parser does not know is a 400", async () => {
    for (const method of ["BREW", "get", "GETS"]) {
      const answer = await talk(get("/api/search").replace("GET", method));
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, "REQUEST_MALFORMED"]);
    }
  });

  it("that a path does not have is refused before its body is read", async () => {
    const answer = await talk(`${get("/api/search", "Content-Length: 1000000").replace("GET", "POST")}{`);
    expect(answer.status).toBe(405);
  });
});

describe("a body", () => {
  const post = (body: Buffer | string, headers: readonly string[], length = Buffer.byteLength(body)): Buffer => {
    const lines = ["POST /api/records/mst HTTP/1.1", "Host: x", "Connection: close", `Authorization: Bearer ${token}`];
    const head = [...lines, ...headers, `Content-Length: ${length}`, "", ""].join("\r\n");
    return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  };
  const code = async (bytes: Buffer): Promise<string> => JSON.parse((await talk(bytes)).body).code;
  const JSON_HEADER = "Content-Type: application/json";

  it("over the limit is a 413, said before the connection ends", async () => {
    const answer = await talk(post(Buffer.alloc(LIMITS.bodyBytesMax + 1, 0x20), [JSON_HEADER]));
    expect(JSON.parse(answer.body)).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
  });

  it("of another type, without one or packed is a 415", async () => {
    expect(await code(post("<a/>", ["Content-Type: text/xml"]))).toBe("MEDIA_TYPE_UNSUPPORTED");
    expect(await code(post("a=1", ["Content-Type: application/x-www-form-urlencoded"]))).toBe("MEDIA_TYPE_UNSUPPORTED");
    expect(await code(post("{}", ["Content-Type: x"]))).toBe("MEDIA_TYPE_UNSUPPORTED");
    expect(await code(post("{}", []))).toBe("MEDIA_TYPE_UNSUPPORTED");
    expect(await code(post("{}", [JSON_HEADER, "Content-Encoding: gzip"]))).toBe("MEDIA_TYPE_UNSUPPORTED");
  });

  it("that is missing is said to be, whatever its type", async () => {
    for (const headers of [[], [JSON_HEADER], ["Content-Type: application/x-www-form-urlencoded"]]) {
      expect(await code(post("", headers))).toBe("BODY_MISSING");
    }
  });

  it("that is not UTF-8, or not JSON, is a 400", async () => {
    expect(await code(post(Buffer.from([0x22, 0xff, 0x22]), [JSON_HEADER]))).toBe("BODY_NOT_UTF8");
    expect(await code(post("{", [JSON_HEADER]))).toBe("BODY_NOT_JSON");
  });

  it("of JSON is read with a charset, a byte order mark, and as Invenio's type", async () => {
    for (const type of ["application/json; charset=utf-8", "application/vnd.inveniordm.v1+json"]) {
      expect((await talk(post('\uFEFF{"metadata": {}}', [`Content-Type: ${type}`]))).status).toBe(201);
    }
  });

  it("that ends too early harms nothing", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.resume().end(post("{", [JSON_HEADER], 100));
    await new Promise((resolve) => socket.on("close", resolve));
    socket.destroy();
    expect((await talk(get("/healthz"))).status).toBe(200);
  });
});

it("finishes what runs when it closes, and ends connections that idle", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await startInProcess({ checkReady: () => held });
  await slow.app.listen({ host: "127.0.0.1", port: 0 });
  const own = (slow.app.server.address() as AddressInfo).port;
  const idle = connect(own, "127.0.0.1", () => idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
  const idleEnded = new Promise((resolve) => idle.on("close", resolve));
  await new Promise((resolve) => idle.once("data", resolve));
  idle.resume();
  const running = fetch(`http://127.0.0.1:${own}/readyz`);
  await sleep(100);

  const closed = slow.close();
  await idleEnded;
  release();
  expect((await running).status).toBe(200);
  await closed;
});
