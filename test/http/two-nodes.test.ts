import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPool, type Pool } from "../../src/engines/postgres/index.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { Client, Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { startTwoNodes, type TwoNodes } from "../support/service.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const CREATE = "/api/records/mst/";

/** Requests that two nodes get at once, and how often. */
const ROUNDS = 12;

describe.skipIf(!HAS_POSTGRES)("two nodes on one database", () => {
  let service: TwoNodes;
  let ada: TestUser;
  let first: Client;
  let second: Client;

  beforeAll(async () => {
    service = await startTwoNodes();
    ada = await service.user("ada");
    [first, second] = service.nodes.map((node) => node.as(ada.token)) as [Client, Client];
  });
  afterAll(() => service.dispose());

  const both = <T>(work: (client: Client, n: number) => Promise<T>): Promise<[T, T]> =>
    Promise.all([work(first, 0), work(second, 1)]);

  it("have the starter terms once, though both loaded them", async () => {
    const [one, other] = await both((client) => client.get<{ readonly hits: object }>("/api/vocabularies"));
    expect(one.status).toBe(200);
    expect(other.body.hits).toEqual(one.body.hits);
  });

  it("show on one what was written on the other, at once", async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
      const { id } = await deposit(writer, makeRecord(n));
      expect((await reader.get<RecordShape>(`${CREATE}${id}/draft`)).status).toBe(200);
      const published = await reader.post(`${CREATE}${id}/draft/actions/publish`);
      expect(published.status).toBe(202);
      expect((await writer.get<RecordShape>(`${CREATE}${id}`)).body.is_published).toBe(true);
    }
  });

  it("do once what is asked of both with one Idempotency-Key", async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const [one, other] = await both((client) =>
        client.post<RecordShape>(CREATE, makeRecord(n), { headers: { "idempotency-key": `both ${n}` } }),
      );
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(other.body.id).toBe(one.body.id);
    }
  });

  it("let one of two edits of the same revision win", async () => {
    const { id } = await deposit(first, makeRecord(1));
    for (let revision = 1; revision <= ROUNDS; revision++) {
      const answers = await both((client, n) =>
        client.put(`${CREATE}${id}/draft`, makeRecord(100 + 2 * revision + n), {
          headers: { "if-match": `"${revision}"` },
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    }
    expect((await first.get<RecordShape>(`${CREATE}${id}/draft`)).body.revision_id).toBe(ROUNDS + 1);
  });

  it("make one new version where both are asked for it", async () => {
    const { id } = await publish(first, makeRecord(2));
    const answers = await both((client) => client.post<RecordShape>(`${CREATE}${id}/versions`));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(answers[1].body.id).toBe(answers[0].body.id);
  });

  it("take shares and refuse revoked tokens, whichever was told of them", async () => {
    const ben = await service.user("ben");
    const { id } = await deposit(first, makeRecord(3));
    const path = `${CREATE}${id}/draft`;
    const asBen = service.nodes[1].as(ben.token);
    expect((await asBen.get(path)).status).toBe(404);
    const grant = await first.post(`${path}/access/grants`, { user: "ben", permission: "read" });
    expect(grant.status, grant.text).toBe(201);
    expect((await asBen.get(path)).status).toBe(200);
    const revoked = await service.cli("token", "revoke", "--all", "--user", "ben");
    expect(revoked.code, revoked.stderr).toBe(0);
    expect((await asBen.get(path)).status).toBe(401);
  });

  it("tell of one feed, and one hears of what the other publishes", async () => {
    const { body } = await first.get<{ next: string; changes: readonly object[] }>("/api/changes?since=0&size=1000");
    const waiting = second.get<{ changes: readonly { id: string }[] }>(`/api/changes?since=${body.next}&wait=20`);
    const { id } = await publish(first, makeRecord(4));
    expect((await waiting).body.changes.map((change) => change.id)).toEqual([id]);
    const [one, other] = await both((client) => client.get("/api/changes?since=0&size=1000"));
    expect(other.body).toEqual(one.body);
  });

  it.each(["/api/records/mst?q=lysozyme", "/api/search", "/api/user/search", "/api/vocabularies/organisms?q=coli"])(
    "say that %s needs an index",
    async (path) => {
      const { status, body } = await second.get<Problem>(path);
      expect([status, body.code]).toEqual([503, "SEARCH_UNAVAILABLE"]);
      expect(body.message).toContain("BINDERY_SEARCH_URL");
    },
  );

  it("are ready, and say a wrong query as ever", async () => {
    expect((await second.get("/readyz")).status).toBe(200);
    const { status, body } = await second.get<Problem>("/api/records/mst?size=zero");
    expect([status, body.code]).toEqual([400, "PARAMETER_INVALID"]);
  });
});

describe.skipIf(!HAS_POSTGRES)("a database that two nodes serve", () => {
  let service: TwoNodes;
  let ada: TestUser;
  let pool: Pool;
  beforeAll(async () => {
    service = await startTwoNodes();
    ada = await service.user("ada");
    pool = openPool({ url: service.databaseUrl, connections: 1 });
  });
  afterAll(async () => {
    await pool.close();
    await service.dispose();
  });

  it("is verified and repaired by commands, while they write", { timeout: 120_000 }, async () => {
    const { id } = await publish(ada.client, makeRecord(1));
    expect((await service.cli("verify")).stdout).toMatch(/^Compared .* all agrees\.\n$/);
    await pool.run("UPDATE rec SET latest = false, updated = 7");
    await pool.run("UPDATE citation_count SET latest = latest + 3");
    await pool.run("UPDATE term SET status = 1 WHERE ext = 'taxid:562'");
    const found = await service.cli("verify", "--json");
    expect(found.code).toBe(1);
    const { counts } = JSON.parse(found.stdout) as { counts: object };
    expect(counts).toEqual({ "record.columns": 2, "counters.citations": expect.any(Number), "items.columns": 1 });
    expect((await service.cli("verify")).stderr).toContain(`record.columns: ${id} (published): expected latest true`);

    let isOver = false;
    const writers = service.nodes.map(async (node) => {
      let n = 0;
      for (; !isOver; n++) await publish(node.as(ada.token), makeRecord(100 + n));
      return n;
    });
    const repaired = await service.cli("verify", "--repair");
    isOver = true;
    for (const written of await Promise.all(writers)) expect(written).toBeGreaterThan(0);
    // A check of more than 10 s prints its progress.
    expect([repaired.code, repaired.stderr.replaceAll(/^.+ \| \d+s\n/gm, "")]).toEqual([0, ""]);
    expect(repaired.stdout).toMatch(/^repaired: terms, 1$\n^repaired: records, 1$[\s\S]*all agrees\.\n$/m);
    expect((await service.cli("audit", "--action", "store.repair")).stdout).toContain("citations");
    expect((await service.cli("verify")).code).toBe(0);
  });

  it("says what is lost, and that copies of it are PostgreSQL's business", async () => {
    const { id } = await publish(ada.client, makeRecord(7));
    await pool.run("UPDATE rec SET json = 'lost' WHERE pid = $1", [id]);
    const { code, stderr } = await service.cli("verify", "--repair");
    expect(code).toBe(1);
    expect(stderr).toContain(`record.body: ${id} (published): expected the record as JSON, found not JSON`);
    expect(stderr).toContain("(cannot be rebuilt)");
    const copied = await service.cli("backup", "copy.sqlite");
    expect([copied.code, copied.stderr]).toEqual([1, expect.stringContaining("use pg_dump")]);
  });
});

it.skipIf(!HAS_POSTGRES)("two nodes count requests each for itself", async () => {
  const service = await startTwoNodes({ BINDERY_RATE_LIMITS: "anonymous-reads=3" });
  const ask = async (client: Client): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await client.get("/api/vocabularies/organisms/taxid:562")).status);
    return statuses;
  };
  expect(await ask(service.nodes[0])).toEqual([200, 200, 200, 429]);
  expect(await ask(service.nodes[1])).toEqual([200, 200, 200, 429]);
  await service.dispose();
});
