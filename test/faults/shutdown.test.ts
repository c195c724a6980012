import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, mainFile, runCommand, settings, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

let bindery: Bindery;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** A deposit whose body is sent in two halves; `finish` sends the second. */
function slowDeposit(): { begun: Promise<void>; finish: () => void; status: Promise<number> } {
  const body = JSON.stringify(makeRecord(1, { title: "Slowly typed" }));
  const { hostname, port } = new URL(bindery.url);
  const headers = {
    authorization: `Bearer ${alice.token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  const sent = request({ hostname, port, method: "POST", path: "/api/records/mst/", headers });
  const status = new Promise<number>((resolve, reject) => {
    sent.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
  });
  const half = Math.floor(body.length / 2);
  const begun = new Promise<void>((resolve) => sent.write(body.slice(0, half), () => setTimeout(resolve, 200)));
  return { begun, finish: () => sent.end(body.slice(half)), status };
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("lets running requests finish, takes no new ones, and ends with 0", async () => {
    const slow = slowDeposit();
    await slow.begun;
    const ended = bindery.end(signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(alice.client.get("/api/search/").then(({ status }) => (status === 503 ? "refused" : status)))
      .resolves.toBe("refused")
      .catch((error: Error) => expect(String(error)).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/));
    slow.finish();
    expect(await slow.status).toBe(201);
    expect((await ended).code).toBe(0);

    await bindery.restart();
    const { body } = await alice.client.get<SearchBody<RecordShape>>("/api/user/search/?q=slowly");
    expect(body.hits.total).toBeGreaterThan(0);
  });

  it("under load loses no acknowledged write", async () => {
    const ids: string[] = [];
    const write = async (): Promise<void> => {
      for (let n = 0; ; n++) ids.push((await deposit(alice.client, makeRecord(n))).id);
    };
    const writers = Promise.allSettled(Array.from({ length: 6 }, write));
    // Each of them is in the middle of another one by then, however slow the first body of a service is.
    await eventually(async () => expect(ids.length).toBeGreaterThan(6));
    const { code } = await bindery.end(signal);
    await writers;
    expect(code).toBe(0);
    await bindery.restart();
    for (const id of ids) expect((await alice.client.get(`/api/records/mst/${id}/draft`)).status).toBe(200);
  });
});

it("a second signal ends it at once", async () => {
  const { finish, status } = slowDeposit();
  const refused = expect(status).rejects.toThrow(/socket hang up|ECONNRESET/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const ended = bindery.end("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.kill(bindery.pid, "SIGTERM");
  expect((await ended).code).toBe(1);
  await refused;
  finish();
  await bindery.restart();
});

describe("a second server on the same data folder", () => {
  it("is refused with a clear word, and the first goes on", async () => {
    const env = settings(bindery.data);
    const second = await runCommand("timeout", ["20", process.execPath, mainFile(), "serve"], env);
    expect(second.code).toBe(1);
    expect(second.stdout + second.stderr).toContain(bindery.data);
    expect(second.stdout + second.stderr).toMatch(/in use|another|already/i);
    expect(second.stderr.trim().split("\n")).toHaveLength(1);
    await deposit(alice.client, makeRecord(77));
  });

  it("starts once the first was killed", async () => {
    await bindery.end("SIGKILL");
    await bindery.restart();
    expect((await bindery.client.get("/readyz")).status).toBe(200);
  });
});

it("commands work beside a running server", async () => {
  const [first, second] = await Promise.all([bindery.user("bob"), bindery.user("carol")]);
  await Promise.all([deposit(first.client, makeRecord(78)), deposit(second.client, makeRecord(79))]);
});

it("a wrong setting stops the start and is named", async () => {
  const env = settings(bindery.data, { BINDERY_PORT: "eighty", BINDERY_COLOUR: "red" });
  const { code, stdout, stderr } = await runCommand(process.execPath, [mainFile(), "serve"], env);
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/BINDERY_PORT[\s\S]*BINDERY_COLOUR|BINDERY_COLOUR[\s\S]*BINDERY_PORT/);
});
