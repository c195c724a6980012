/** Who may not do what is asked for is refused before the body is read; what is sent twice is told apart. */
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../../test/support/in-process-server.js";
import { makeRecord } from "../../../test/support/records.js";
import { LIMITS } from "../../core/limits.js";

let server: InProcessServer;
let port: number;
let owner: string;
let stranger: string;
let draft: string;
let sockets: Socket[] = [];

beforeAll(async () => {
  server = await startInProcess();
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = server.app.server.address() as AddressInfo);
  [owner, stranger] = [await server.token("alice"), await server.token("mallory")];
  const headers = { authorization: `Bearer ${owner}` };
  const made = await server.app.inject({ method: "POST", url: "/api/records/mst", headers, payload: makeRecord(1) });
  draft = made.json().id;
});
afterAll(() => server.close());
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Sends bytes and leaves the connection open. @returns status and code of the answer */
function ask(text: string, waitMs = 10_000): Promise<{ readonly status: number; readonly code?: string }> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    sockets.push(socket);
    socket.setTimeout(waitMs, () => reject(new Error("no answer")));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      said += chunk;
      const [head = "", body] = said.split("\r\n\r\n");
      const code = /"code":"(\w+)"/.exec(body ?? "")?.[1];
      if (body !== undefined) resolve({ status: Number(head.slice(9, 12)), ...(code === undefined ? {} : { code }) });
    });
  });
}

/** A request whose body of 10 MB is announced, and never sent. */
function announce(method: string, path: string, token: string, ...headers: readonly string[]): string {
  const lines = [`${method} /api/records/mst/${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`];
  return [...lines, "Content-Type: application/json", "Content-Length: 10000000", ...headers, "", ""].join("\r\n");
}

const ID = "{id}";

describe("a body of 10 MB from somebody who may not see the draft", () => {
  it.each([
    ["PUT", `${ID}/draft`, "DRAFT_NOT_FOUND"],
    ["DELETE", `${ID}/draft`, "DRAFT_NOT_FOUND"],
    ["POST", `${ID}/draft/actions/publish`, "DRAFT_NOT_FOUND"],
    ["POST", `${ID}/draft/access/grants`, "DRAFT_NOT_FOUND"],
    ["DELETE", `${ID}/draft/access/grants/alice`, "DRAFT_NOT_FOUND"],
    ["POST", `${ID}/draft`, "RECORD_NOT_FOUND"],
    ["POST", `${ID}/versions`, "RECORD_NOT_FOUND"],
    ["DELETE", ID, "RECORD_NOT_FOUND"],
  ])("is a 404 before it is read, as of an id that nothing has: %s %s", async (method, path, code) => {
    for (const id of [draft, "zzzzz-zzz00"]) {
      expect(await ask(announce(method, path.replace(ID, id), stranger)), id).toEqual({ status: 404, code });
    }
  });

  it("is read where the sender may replace the draft", async () => {
    await expect(ask(announce("PUT", `${draft}/draft`, owner), 300)).rejects.toThrow("no answer");
  });

  it("is a 403 before it is read where the sender sees the draft and may not replace it", async () => {
    const reader = await server.token("reader");
    const { id } = (await server.store.users.findUser("reader"))!;
    await server.store.transaction((tx) => tx.shares.put(draft, id, "read"));
    expect(await ask(announce("PUT", `${draft}/draft`, reader))).toEqual({ status: 403, code: "ACCESS_DENIED" });
  });
});

it("takes no long body where no metadata is sent, with an Idempotency-Key neither", async () => {
  for (const [method, path] of [
    ["POST", `${draft}/draft/actions/publish`],
    ["POST", `${draft}/draft/access/grants`],
    ["DELETE", `${draft}/draft`],
  ] as const) {
    const answer = await server.app.inject({
      method,
      url: `/api/records/mst/${path}`,
      headers: { authorization: `Bearer ${owner}`, "idempotency-key": "k", "content-type": "application/json" },
      payload: `{"a":"${"a".repeat(LIMITS.shortBodyBytesMax)}"}`,
    });
    expect(answer.json(), path).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
    expect(answer.json().message).toContain(String(LIMITS.shortBodyBytesMax));
  }
});

describe("Authorization", () => {
  const twice = (path: string, ...tokens: readonly string[]): string =>
    [`GET ${path} HTTP/1.1`, "Host: x", ...tokens.map((token) => `AUTHORIZATION: Bearer ${token}`), "", ""].join(
      "\r\n",
    );

  it.each(["/api/vocabularies", "/api/search/", "/api/models"])("sent twice to %s is a 400", async (path) => {
    const refused = { status: 400, code: "HEADER_REPEATED" };
    expect(await ask(twice(path, owner, stranger))).toEqual(refused);
    expect(await ask(twice(path, owner, owner))).toEqual(refused);
    expect(await ask(twice(path, "nonsense", owner))).toEqual(refused);
    expect((await ask(twice(path, owner))).status).toBe(200);
  });
});
