import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { AuditLine } from "../../src/services/api/admin.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, eventually, importItems } from "../support/deposit.js";
import { makeRecord } from "../support/records.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const UNKNOWN = `bnd_${"0".repeat(39)}`;
let bindery: Service;
let ada: TestUser;
let ben: TestUser;
let adaToken: string;

beforeAll(async () => {
  bindery = await startService({ env: { BINDERY_RATE_LIMITS: "reads=5000,writes=1000" } });
  ada = await bindery.user("ada");
  ben = await bindery.user("ben", { scopes: ["records:read"] });
  adaToken = (await audit("--action", "token.create"))[0]!.target!;
});
afterAll(() => bindery.dispose());

async function audit(...args: readonly string[]): Promise<readonly AuditLine[]> {
  const { code, stdout, stderr } = await bindery.cli("audit", "--json", ...args);
  expect(code, stderr).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditLine);
}

/** Refused lines, once at least so many are written. */
const refusals = (count: number, ...args: readonly string[]): Promise<readonly AuditLine[]> =>
  eventually(async () => {
    const lines = await audit("--refused", ...args);
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines;
  });

describe("what is written", () => {
  it("is in the log with who, token, target and revision, in the order in which it was done", async () => {
    const { id } = await deposit(ada.client, makeRecord(1));
    const draft = `/api/records/mst/${id}/draft`;
    await ada.client.put(draft, makeRecord(2));
    await ada.client.put(draft, makeRecord(2));
    await ada.client.post(`${draft}/access/grants`, { user: "ben", permission: "read" });
    await ada.client.delete(`${draft}/access/grants/ben`);
    await ada.client.post(`${draft}/actions/publish`);
    const lines = await audit("--target", id.toUpperCase());
    const target = { kind: "record", place: "mst", target: id, who: "ada", token: adaToken, outcome: "done", times: 1 };
    expect(lines).toMatchObject([
      { ...target, action: "draft.create", revision: 1 },
      { ...target, action: "draft.replace", revision: 2 },
      { ...target, action: "draft.share", whom_name: "ben" },
      { ...target, action: "draft.unshare", whom_name: "ben" },
      { ...target, action: "draft.publish", revision: 3 },
    ]);
    const doomed = await deposit(ada.client, makeRecord(3));
    await ada.client.delete(`/api/records/mst/${doomed.id}/draft`);
    expect((await audit("--target", doomed.id)).map(({ action }) => action)).toEqual(["draft.create", "draft.delete"]);
  });

  it("is there for tokens over HTTP, and for all that the operator does", async () => {
    const { body } = await ada.client.post("/api/user/tokens", { scopes: ["records:read"] });
    await ada.client.delete(`/api/user/tokens/${body.id}`);
    expect(await audit("--target", String(body.id), "--who", "ada")).toMatchObject([
      { action: "token.create", kind: "token", whom_name: "ada" },
      { action: "token.revoke", kind: "token" },
    ]);
    for (let n = 0; n < 2; n++) {
      await importItems(bindery, "organisms", [{ id: "taxid:1423", synonyms: ["Hay bacillus"] }]);
    }
    await bindery.cli("user", "role", "ben", "curator");
    await bindery.cli("user", "role", "ben", "depositor");
    const lines = await audit("--who", "operator", "--done", "--since", "1h");
    const said = lines.map(({ action, place = "", whom_name = "" }) => `${action} ${place} ${whom_name}`.trim());
    expect(said.filter((line) => line.startsWith("user"))).toEqual([
      "user.add depositor ada",
      "user.add depositor ben",
      "user.role curator ben",
      "user.role depositor ben",
    ]);
    expect(said.at(-3)).toBe("term.import organisms");
    expect(said.filter((line) => line === "term.import organisms")).toHaveLength(2);
  });
});

describe("what is refused", () => {
  it.skipIf(ON_POSTGRES)("is in the log with route, id and code, and never with content or a query", async () => {
    const { id } = await deposit(ada.client, makeRecord(10));
    const path = `/api/records/mst/${id}`;
    await ben.client.get(`${path}/draft?expand=true`);
    await ben.client.get(path);
    await ben.client.post("/api/records/mst/", { metadata: { secret: "hush" } });
    await ada.client.put(`${path}/draft`, { metadata: { secret: "hush" } }, { headers: { "if-match": "9" } });
    await bindery.client.get(`${path}/draft`);
    await bindery.client.as(UNKNOWN).get("/api/search/?q=hush");
    const lines = await refusals(6);
    const said = lines.map(({ who, action, place, target = "", outcome }) => [who, action, place, target, outcome]);
    const draft = "/api/records/:model/:id/draft";
    expect(said.slice(-6)).toEqual([
      ["ben", "request", `GET ${draft}`, id, "DRAFT_NOT_FOUND"],
      ["ben", "request", "GET /api/records/:model/:id", id, "RECORD_NOT_FOUND"],
      ["ben", "request", "POST /api/records/:model", "", "SCOPE_MISSING"],
      ["ada", "request", `PUT ${draft}`, id, "REVISION_STALE"],
      ["anonymous", "request", `GET ${draft}`, id, "TOKEN_MISSING"],
      ["anonymous", "request", "GET /api/search", "", "TOKEN_INVALID"],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/hush|expand|bnd_/);
    expect(lines.at(-6)).toMatchObject({ kind: "path", token: expect.stringMatching(/^\d+$/), times: 1 });
  });

  it("is not what is only mistaken", async () => {
    const before = await audit("--refused");
    const { id } = await deposit(ada.client, {});
    await ada.client.post(`/api/records/mst/${id}/draft/actions/publish`);
    await ada.client.get("/api/records/mst/?p=0");
    await ada.client.get("/api/records/mst/00000-00098");
    await ada.client.get("/api/nothing");
    await bindery.client.as(UNKNOWN).get("/api/nothing");
    const lines = await refusals(before.length + 1);
    expect(lines.slice(before.length)).toMatchObject([{ place: "GET *", outcome: "TOKEN_INVALID" }]);
  });

  it("names whose a revoked token was", async () => {
    const { body } = await ada.client.post("/api/user/tokens", { scopes: ["records:read"] });
    await ada.client.delete(`/api/user/tokens/${body.id}`);
    await bindery.client.as(String(body.token)).get("/api/search/");
    const [line] = await refusals(1, "--token", String(body.id));
    expect(line).toMatchObject({ who: "ada", outcome: "TOKEN_REVOKED" });
  });

  it("is counted where it is the same again", async () => {
    const send = () => bindery.client.get("/api/user/search/");
    await Promise.all(Array.from({ length: 40 }, send));
    const lines = await eventually(async () => {
      const found = (await audit("--refused")).filter(({ place }) => place === "GET /api/user/search");
      expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(40);
      return found;
    });
    expect(lines.length).toBeLessThanOrEqual(5);
  });

  it.skipIf(ON_POSTGRES)("fills the log no faster than the limit says, and is counted all the same", async () => {
    const before = (await audit("--refused", "--limit", "100000")).length;
    const begun = performance.now();
    const count = 600;
    const send = (_: unknown, n: number) => bindery.client.get(`/api/records/mst/flood${n}/draft`);
    await Promise.all(Array.from({ length: count }, send));
    const seconds = Math.ceil((performance.now() - begun) / 1_000) + 1;
    const lines = await eventually(async () => {
      const found = (await audit("--refused", "--limit", "100000")).slice(before);
      expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(count);
      return found;
    });
    expect(lines.length).toBeLessThanOrEqual(seconds * (LIMITS.refusalsPerSecondMax + 1));
    const rest = lines.filter(({ place }) => place === "*");
    for (const line of rest) expect(line).toMatchObject({ who: "anonymous", outcome: "TOKEN_MISSING" });
  });

  it("is written before the server ends", async () => {
    await bindery.client.get("/api/records/mst/zv0gv-btp27/draft");
    await bindery.restart();
    expect(await audit("--target", "zv0gv-btp27")).toMatchObject([{ outcome: "TOKEN_MISSING" }]);
  });

  it("names no id that cannot be one: it may be a token, or a line that somebody forges", async () => {
    const forged = [
      "x\n2026-11-28T00:00:00Z  operator",
      "\u001b[2J",
      `bnd_${"x".repeat(39)}`,
      "x".repeat(2_000),
      "\u202e",
    ];
    const paths = forged.flatMap((id) => [
      `/api/records/mst/${encodeURIComponent(id)}/draft`,
      `/api/vocabularies/organisms/${encodeURIComponent(id)}`,
      `/api/user/tokens/${encodeURIComponent(id)}`,
    ]);
    for (const path of paths) await bindery.client.delete(path);
    await bindery.restart();
    const lines = (await audit("--refused", "--limit", "30")).filter(({ place }) => place?.startsWith("DELETE"));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line.target).toBeUndefined();
  });
});

describe("bindery audit", () => {
  it("prints a table, the newest line last", async () => {
    const { stdout } = await bindery.cli("audit", "--who", "ada", "--done", "--limit", "2");
    const [head, ...lines] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^TIME +WHO +TOKEN +ACTION +TARGET +WHOM +OUTCOME$/);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}ada +\d+ +[a-z.]+ +\S.* done$/);
    expect(lines[0]! < lines[1]!).toBe(true);
    expect((await bindery.cli("audit", "--who", "nobody")).stdout).toBe("There are no matching lines.\n");
  });

  it.each([
    [["--since", "yesterday"], 1, /since must be a duration before now/],
    [["--action", "draft.creat"], 1, /Did you mean draft\.create\?/],
    [["--limit", "0"], 2, /whole number/],
    [["--done", "--refused"], 2, /cannot be used with/],
  ])("refuses %j", async (args, code, word) => {
    const outcome = await bindery.cli("audit", ...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toMatch(word);
  });

  it("takes days whole", async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect((await audit("--since", today, "--until", today, "--who", "ada")).length).toBeGreaterThan(0);
    expect(await audit("--until", "2020-01-01")).toEqual([]);
  });
});
