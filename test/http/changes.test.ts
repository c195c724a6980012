import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish } from "../support/deposit.js";
import type { Client, Problem, RecordShape } from "../support/http-client.js";
import { makeLoneOrganism, organismId } from "../support/items.js";
import { makeRecord } from "../support/records.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

interface Change {
  readonly seq: number;
  readonly time: string;
  readonly kind: string;
  readonly action: string;
  readonly id: string;
  readonly model?: string;
  readonly vocabulary?: string;
  readonly revision_id: number;
  readonly links: { readonly self: string };
}

interface ChangePage {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly warnings?: readonly { readonly code: string }[];
}

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** The command line in a process of its own. */
const otherProcess = (): Pick<Service, "data" | "cli" | "program"> => ({ ...bindery, cli: bindery.program });
const page = async (parameters: string) => (await bindery.client.get<ChangePage>(`/api/changes?${parameters}`)).body;

/** The cursor after everything that there is. */
async function head(): Promise<string> {
  for (let since = "0"; ; ) {
    const { changes, next } = await page(`since=${since}&size=1000`);
    since = next;
    if (changes.length === 0) return since;
  }
}

/** All changes from a cursor, in pages. */
async function readFrom(since: string, size = 100): Promise<Change[]> {
  const all: Change[] = [];
  for (let from = since; ; ) {
    const { changes, next } = await page(`since=${from}&size=${size}`);
    all.push(...changes);
    from = next;
    if (changes.length === 0) return all;
  }
}

const withLines = (path: string, accept: string) => bindery.client.get(path, { headers: { accept } });
const parseLines = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Change);

describe("GET /api/changes", () => {
  it("says what was published, and how to read it", async () => {
    const since = await head();
    const draft = await deposit(alice.client, makeRecord(1));
    expect((await page(`since=${since}`)).changes).toEqual([]);
    const path = `/api/records/mst/${draft.id}/draft`;
    const { body } = await alice.client.post<RecordShape>(`${path}/actions/publish`);
    await deposit(alice.client, makeRecord(2));
    const { changes, next } = await page(`since=${since}`);
    expect(changes).toEqual([
      {
        seq: expect.any(Number),
        time: body.updated,
        kind: "record",
        action: "published",
        id: draft.id,
        model: "mst",
        revision_id: body.revision_id,
        links: { self: `${bindery.url}/api/records/mst/${draft.id}` },
      },
    ]);
    expect(changes[0]!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect((await bindery.client.get(new URL(changes[0]!.links.self).pathname)).status).toBe(200);
    expect(await page(`since=${next}`)).toEqual({ changes: [], next });
  });

  it("lists the items of an import one by one, with links that lead to them", async () => {
    const since = await head();
    const items = [makeLoneOrganism(1), { ...makeLoneOrganism(2), id: "taxid:94000001" }];
    await importItems(bindery, "organisms", items);
    const changes = await readFrom(since, 1);
    expect(changes.map(({ id }) => id).sort()).toEqual([organismId(1), "taxid:94000001"].sort());
    for (const { kind, vocabulary, action, revision_id, links } of changes) {
      expect({ kind, vocabulary, action, revision_id }).toEqual({
        ...{ kind: "term", vocabulary: "organisms", action: "created", revision_id: 1 },
      });
      expect((await bindery.client.get(new URL(links.self).pathname)).status).toBe(200);
    }
  });

  it("follows a record through its life, neighbours whose is_latest changes included", async () => {
    const since = await head();
    const { client } = alice;
    const { id } = await publish(client, makeRecord(50));
    const path = `/api/records/mst/${id}`;
    const edit = (await client.post<RecordShape>(`${path}/draft`)).body;
    await client.put(`${path}/draft`, { metadata: makeRecord(51).metadata });
    await client.post(`${path}/draft/actions/publish`);
    const version = (await client.post<RecordShape>(`${path}/versions`)).body;
    expect(edit.id).toBe(id);
    await client.put(`/api/records/mst/${version.id}/draft`, { metadata: makeRecord(52).metadata });
    await client.post(`/api/records/mst/${version.id}/draft/actions/publish`);
    await client.delete(`/api/records/mst/${version.id}`);
    const changes = await readFrom(since);
    const of = (which: string) => changes.filter((change) => change.id === which);
    expect(of(id).map(({ action }) => action)).toEqual(["published", ...Array(4).fill("updated")]);
    expect(of(version.id).map(({ action }) => action)).toEqual(["published", "removed"]);
    for (const which of [id, version.id]) {
      const revisions = of(which).map(({ revision_id }) => revision_id);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    }
    const live = await bindery.client.get<RecordShape>(path);
    expect(of(id).at(-1)!.revision_id).toBe(live.body.revision_id);
    const gone = await bindery.client.get(new URL(of(version.id)[0]!.links.self).pathname);
    expect(gone.status).toBe(410);
  });

  it("takes 0, or nothing, as the beginning", async () => {
    const { changes } = await page("since=0&size=3");
    expect(changes).toHaveLength(3);
    expect((await page("s=3")).changes).toEqual(changes);
    expect((await page("")).changes).toHaveLength(100);
  });

  it.each([
    ["since=x", "CHANGE_CURSOR_INVALID"],
    ["since=", "CHANGE_CURSOR_INVALID"],
    ["since=-1", "CHANGE_CURSOR_INVALID"],
    ["since=5", "CHANGE_CURSOR_INVALID"],
    ["size=0", "PARAMETER_INVALID"],
    ["size=1001", "PARAMETER_INVALID"],
    ["wait=61", "PARAMETER_INVALID"],
    ["wait=-1", "PARAMETER_INVALID"],
    ["wait=soon", "PARAMETER_INVALID"],
    ["format=xml", "PARAMETER_INVALID"],
    ["since=0&since=0", "PARAMETER_INVALID"],
  ])("refuses %s", async (parameters, code) => {
    const { status, body } = await bindery.client.get<Problem>(`/api/changes?${parameters}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    expect(body.errors!.length).toBeGreaterThan(0);
  });

  it("refuses a cursor that was mistyped, and one of another store", async () => {
    const cursor = await head();
    const cut = await bindery.client.get<Problem>(`/api/changes?since=${cursor.slice(0, -3)}`);
    expect(cut.body.code).toBe("CHANGE_CURSOR_INVALID");
    const other = await startService();
    try {
      const answer = await other.client.get<Problem>(`/api/changes?since=${cursor}`);
      expect([answer.status, answer.body.code]).toEqual([410, "CHANGE_CURSOR_GONE"]);
    } finally {
      await other.dispose();
    }
  });

  it("names parameters that it does not know", async () => {
    expect((await page("size=1&sinse=0")).warnings).toMatchObject([{ code: "UNKNOWN_PARAMETER", nearest: ["since"] }]);
  });

  it("answers other methods and media types as everywhere", async () => {
    const { status, headers } = await bindery.client.post("/api/changes", {});
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    expect((await withLines("/api/changes", "text/html")).status).toBe(406);
    expect((await bindery.client.send("HEAD", "/api/changes")).status).toBe(200);
    expect((await bindery.client.get("/api/changes/", { token: "bnd_none" })).status).toBe(401);
  });

  it("goes on after a restart with the cursors from before", async () => {
    const since = await head();
    const middle = (await page("size=7")).next;
    const rest = await readFrom(middle);
    await bindery.restart();
    const { id } = await publish(alice.client, makeRecord(3));
    expect((await page(`since=${since}`)).changes.map((change) => change.id)).toEqual([id]);
    const again = await readFrom(middle);
    expect(again.map(({ seq, id: which }) => `${seq} ${which}`).slice(0, -1)).toEqual(
      rest.map(({ seq, id: which }) => `${seq} ${which}`),
    );
  });
});

describe("the feed as lines", () => {
  it.each([
    ["application/x-ndjson", ""],
    ["*/*", "&format=ndjson"],
  ])("has all changes up to now, and says where to go on (%s%s)", async (accept, format) => {
    const answer = await withLines(`/api/changes?since=0${format}`, accept);
    expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    const next = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link))![1]!;
    expect(parseLines(answer.text)).toEqual(await readFrom("0", 1_000));
    const { id } = await publish(alice.client, makeRecord(4));
    const { pathname, search } = new URL(next);
    const { text } = await withLines(pathname + search, "application/x-ndjson");
    expect(parseLines(text).map((change) => change.id)).toEqual([id]);
  });

  it("refuses a bad cursor before the first line", async () => {
    expect((await withLines("/api/changes?since=x", "application/x-ndjson")).status).toBe(400);
  });

  it("answers HEAD with its headers", async () => {
    const headers = { accept: "application/x-ndjson" };
    const answer = await bindery.client.send("HEAD", "/api/changes", { headers });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.link).toContain("since=");
  });
});

describe("waiting for a change", () => {
  it("answers what is there at once, and nothing after the time is over", async () => {
    expect((await page("since=0&size=1&wait=30")).changes).toHaveLength(1);
    const since = await head();
    const answer = await bindery.client.get<ChangePage>(`/api/changes?since=${since}&wait=0.4`);
    expect(answer.body).toEqual({ changes: [], next: since });
    expect(answer.millis).toBeGreaterThan(350);
  });

  it("wakes soon after a commit of this server, and is not woken by drafts", async () => {
    const since = await head();
    const waiting = bindery.client.get<ChangePage>(`/api/changes?since=${since}&wait=30`);
    await deposit(alice.client, makeRecord(5));
    const { id } = await publish(alice.client, makeRecord(6));
    const committed = performance.now();
    const { body } = await waiting;
    expect(performance.now() - committed).toBeLessThan(1_000);
    expect(body.changes.map((change) => change.id)).toEqual([id]);
  });

  it("wakes soon after a commit of another process", async () => {
    const since = await head();
    const waiting = Array.from({ length: 50 }, async () => {
      const { body } = await bindery.client.get<ChangePage>(`/api/changes?since=${since}&wait=30`);
      return { ids: body.changes.map((change) => change.id), at: performance.now() };
    });
    await importItems(otherProcess(), "organisms", [makeLoneOrganism(7)]);
    const committed = performance.now();
    for (const { ids, at } of await Promise.all(waiting)) {
      expect(ids).toEqual([organismId(7)]);
      expect(at - committed).toBeLessThan(1_000);
    }
  });

  it.skipIf(ON_POSTGRES)("does not hold up the end of the server", async () => {
    const since = await head();
    const waiting = bindery.client.get<ChangePage>(`/api/changes?since=${since}&wait=60`);
    // What was sent is there before the signal is.
    await bindery.client.get("/healthz");
    await bindery.restart();
    // Answered: a request that the end had to wait for would have been cut off.
    expect((await waiting).body.changes).toEqual([]);
  });

  it("forgets clients that go", async () => {
    const since = await head();
    const url = `${bindery.url}/api/changes?since=${since}&wait=60`;
    const comeAndGo = (): Promise<void> =>
      new Promise((resolve) => {
        const sent = request(url).on("close", resolve);
        sent.on("error", () => undefined).end();
        setTimeout(() => sent.destroy(), 200);
      });
    // More than one caller may have at a time, and none of them is there any more.
    const batches = Math.ceil(LIMITS.changeWaitersPerCallerMax / 50) + 1;
    for (let n = 0; n < batches; n++) await Promise.all(Array.from({ length: 50 }, comeAndGo));
    const answer = await bindery.client.get<ChangePage>(`/api/changes?since=${since}&wait=0.4`);
    expect(answer.status).toBe(200);
    expect(answer.headers["retry-after"]).toBeUndefined();
    expect(answer.millis).toBeGreaterThan(350);
  });
});

describe("readers beside several writers", () => {
  /** Reads on until told to stop, and then to the end. */
  async function follow(since: string, size: number, isDone: () => boolean): Promise<Change[]> {
    const all: Change[] = [];
    for (let from = since; ; ) {
      const wasDone = isDone();
      const { changes, next } = await page(`since=${from}&size=${size}&wait=${size % 2}`);
      all.push(...changes);
      from = next;
      if (changes.length === 0 && wasDone) return all;
    }
  }

  async function write(client: Client, n: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < 15; i++) {
      ids.push((await publish(client, makeRecord(100 * n + i))).id);
      await deposit(client, makeRecord(100 * n + i));
    }
    return ids;
  }

  it("see all changes, each once, in one order", async () => {
    const since = await head();
    let isDone = false;
    const readers = [1, 2, 3, 100].map((size) => follow(since, size, () => isDone));
    const items = Array.from({ length: 40 }, (_, n) => makeLoneOrganism(1_000 + n));
    const [ids] = await Promise.all([
      Promise.all([1, 2, 3, 4].map((n) => write(alice.client, n))),
      importItems(otherProcess(), "organisms", items),
    ]);
    isDone = true;
    const [first, ...others] = await Promise.all(readers);
    for (const other of others) expect(other).toEqual(first);
    const records = first!.filter(({ kind }) => kind === "record").map(({ id }) => id);
    expect([...records].sort()).toEqual(ids.flat().sort());
    // One writer's records stand in the order in which they were acknowledged.
    for (const mine of ids) expect(records.filter((id) => mine.includes(id))).toEqual(mine);
    expect(first!.filter(({ kind }) => kind === "term")).toHaveLength(items.length);
    const seqs = first!.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    const times = first!.map(({ time }) => time);
    expect(times).toEqual([...times].sort());
  }, 120_000);
});
