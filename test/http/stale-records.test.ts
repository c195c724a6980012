import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AsCited } from "../../src/core/record.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import { at, type ItemShape, type RecordShape, type SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const INSTRUMENTS = "/api/vocabularies/instruments";
const PLACE = "metadata.general_parameters.instrument";

type Published = RecordShape & { readonly as_cited?: readonly AsCited[] };

let bindery: Service;
let ada: TestUser;
let cleo: TestUser;
let last = 9_000;
let id: string;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write", "records:write"] });
});
afterAll(() => bindery.dispose());

const add = async (title: string): Promise<string> => {
  const made = `ins:${last++}`;
  const answer = await cleo.client.post(INSTRUMENTS, { id: made, title: { en: title } });
  expect(answer.status, answer.text).toBe(201);
  return made;
};
const put = async (title: string, more: object = {}): Promise<void> => {
  const { body } = await bindery.client.get<ItemShape>(`${INSTRUMENTS}/${id}`);
  const answer = await cleo.client.put(`${INSTRUMENTS}/${id}`, { ...body, id, title: { en: title }, ...more });
  expect(answer.status, answer.text).toBe(200);
};
const citing = (n: number) => recordWith(n, { instrument: { id } });
const staleOf = async (user: TestUser, path = "/api/user/search"): Promise<readonly string[]> => {
  const { body } = await user.client.get<SearchBody<RecordShape>>(`${path}?stale=true&sort=newest&size=1000`);
  return body.hits.hits.map((hit) => hit.id);
};
const staleInPublic = async (): Promise<readonly string[]> => {
  const { body } = await bindery.client.get<SearchBody<RecordShape>>("/api/search?stale=true&sort=newest&size=1000");
  return body.hits.hits.map((hit) => hit.id);
};
const counted = async (): Promise<number> => {
  const { body } = await bindery.client.get<SearchBody<{ id: string; stale: number }>>("/api/vocabularies");
  return body.hits.hits.find((hit) => hit.id === "instruments")!.stale;
};
const read = async ({ id: record }: { readonly id: string }): Promise<Published> =>
  (await bindery.client.get<Published>(`/api/records/mst/${record}`)).body;
const refresh = async (...options: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await bindery.cli("refresh", ...options);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

beforeEach(async () => {
  await refresh("--published");
  id = await add("First name");
});

describe("stale=true", () => {
  it("finds records with an older version of a term right after it changed, and vocabularies count them", async () => {
    const one = await publish(ada.client, citing(1));
    const two = await deposit(ada.client, citing(2));
    await publish(ada.client, recordWith(3, {}));
    expect([await staleInPublic(), await staleOf(ada), await counted()]).toEqual([[], [], 0]);
    await put("Second name");
    expect([await staleInPublic(), await staleOf(ada), await counted()]).toEqual([[one.id], [two.id, one.id], 1]);
    const citations = `${INSTRUMENTS}/${id}/citations`;
    expect([await staleOf(ada, citations), await staleOf(cleo, citations)]).toEqual([
      [two.id, one.id],
      [two.id, one.id],
    ]);
    const none = await bindery.client.get<SearchBody>(`/api/search?stale=true&q=-id:${one.id}`);
    expect(none.body.hits.total).toBe(0);
  });

  it("finds them after any change: of a synonym, of the status, by an import, and of a successor", async () => {
    const one = await publish(ada.client, citing(1));
    const changes: readonly (() => Promise<unknown>)[] = [
      () => put("First name", { synonyms: ["Other"] }),
      () => put("First name", { status: "deprecated" }),
      () => importItems(bindery, "instruments", [{ id, title: { en: "By an import" } }]),
    ];
    for (const change of changes) {
      await change();
      expect(await staleInPublic()).toEqual([one.id]);
      expect(await refresh("--published")).toBe("0 drafts and 1 published record refreshed");
      expect(await staleInPublic()).toEqual([]);
    }
    const successor = await add("Successor");
    await put("By an import", { status: "deprecated", replaced_by: successor });
    expect(await staleInPublic()).toEqual([one.id]);
    await refresh("--published");
    expect(at(await read(one), `${PLACE}.id`)).toBe(successor);
    expect(await staleInPublic()).toEqual([]);
  });

  it("finds a draft until it is next saved, and an edit of a record as its copy is", async () => {
    const draft = await deposit(ada.client, citing(1));
    await put("Second name");
    expect(await staleOf(ada)).toEqual([draft.id]);
    const saved = await ada.client.put<RecordShape>(`/api/records/mst/${draft.id}/draft`, draft);
    const { revision_id } = saved.body;
    expect([saved.status, revision_id, at(saved.body, `${PLACE}.title.en`)]).toEqual([200, 2, "Second name"]);
    expect(await staleOf(ada)).toEqual([]);
    const published = await ada.client.post<RecordShape>(`/api/records/mst/${draft.id}/draft/actions/publish`);
    await put("Third name");
    await ada.client.post(`/api/records/mst/${published.body.id}/draft`);
    expect(await staleOf(ada)).toEqual([draft.id]);
    await ada.client.post(`/api/records/mst/${draft.id}/draft/actions/publish`);
    expect([await staleOf(ada), await staleInPublic()]).toEqual([[], []]);
  });
});

describe("bindery refresh", () => {
  it("fills in drafts, with a revision more and their problems anew, and leaves published records alone", async () => {
    const published = await publish(ada.client, citing(1));
    const valid = await deposit(ada.client, citing(2));
    const { metadata } = recordWith(3, { instrument: { id }, technique: undefined });
    const flawed = await deposit(ada.client, { metadata });
    await put("Second name");
    expect(await refresh("--dry-run")).toBe("2 drafts and 0 published records would be refreshed");
    expect(await staleOf(ada)).toHaveLength(3);
    expect(await refresh()).toBe("2 drafts and 0 published records refreshed");
    for (const draft of [valid, flawed]) {
      const { body } = await ada.client.get<RecordShape>(`/api/records/mst/${draft.id}/draft`);
      expect([body.revision_id, at(body, `${PLACE}.title.en`), body.errors]).toEqual([2, "Second name", draft.errors]);
      expect(body.updated > draft.updated).toBe(true);
    }
    expect(await read(published)).toEqual(published);
    expect(await staleOf(ada)).toEqual([published.id]);
    expect(await refresh()).toBe("0 drafts and 0 published records refreshed");
  });

  it("keeps what published records cited when they were published, and says so in the change feed", async () => {
    const published = await publish(ada.client, citing(1));
    const cited = at(published, PLACE);
    const { body: before } = await bindery.client.get<{ next: string }>("/api/changes?since=0&size=1000");
    let since = before.next;
    for (const [n, title] of ["Second name", "Third name"].entries()) {
      await put(title);
      expect(await refresh("--published", "--vocabulary", "organisms")).toMatch(/^0 drafts and 0 published/);
      expect(await refresh("--published", "--vocabulary", "instruments")).toMatch(/^0 drafts and 1 published/);
      const record = await read(published);
      expect(record).toMatchObject({ revision_id: published.revision_id + n + 1, created: published.created });
      expect(at(record, `${PLACE}.title.en`)).toBe(title);
      expect(record.as_cited).toEqual([{ field: PLACE, vocabulary: "instruments", term: cited }]);
      const changes = await bindery.client.get<{ changes: { id: string; action: string }[]; next: string }>(
        `/api/changes?since=${since}`,
      );
      since = changes.body.next;
      expect(changes.body.changes.map((change) => `${change.action} ${change.id}`)).toEqual([
        `updated ${id}`,
        `updated ${published.id}`,
      ]);
    }
    const page = await bindery.client.get(`/records/${published.id}`, { headers: { accept: "text/html" } });
    expect(page.text.replaceAll(/<[^>]*>/g, "")).toMatch(/Third name\s+\S+\s+\(cited as First name\)/);
    const found = await bindery.client.get<SearchBody<Published>>(`/api/search?q=id:${published.id}`);
    expect(found.body.hits.hits[0]).toEqual(await read(published));
    const sent = await ada.client.post<RecordShape>("/api/records/mst", await read(published));
    expect([sent.status, sent.body.warnings]).toEqual([201, undefined]);

    await ada.client.post(`/api/records/mst/${published.id}/draft`);
    const again = await ada.client.post<Published>(`/api/records/mst/${published.id}/draft/actions/publish`);
    expect([again.status, again.body.as_cited]).toEqual([202, undefined]);
  });

  it("refreshes older versions too, keeps flags of versions, and retracts what was cited with the record", async () => {
    const one = await publish(ada.client, citing(1));
    await put("Second name");
    await refresh("--published");
    const next = await ada.client.post<RecordShape>(`/api/records/mst/${one.id}/versions`);
    const two = await ada.client.post<RecordShape>(`/api/records/mst/${next.body.id}/draft/actions/publish`);
    expect(two.status).toBe(202);
    // The flags of the older one were written after its refresh.
    expect(await read(one)).toMatchObject({ versions: { is_latest: false }, as_cited: [{ field: PLACE }] });
    await put("Third name");
    expect([await counted(), await refresh("--published")]).toEqual([1, "0 drafts and 2 published records refreshed"]);
    expect(at(await read(one), `${PLACE}.title.en`)).toBe("Third name");
    await ada.client.delete(`/api/records/mst/${next.body.id}`);
    const gone = await bindery.client.get(`/api/records/mst/${next.body.id}`);
    expect([gone.status, gone.text.includes("Second name")]).toEqual([410, false]);
  });

  it("prints JSON, names an unknown vocabulary, and notes each record in the audit log", async () => {
    const published = await publish(ada.client, citing(1));
    await put("Second name");
    const summary = JSON.parse(await refresh("--published", "--json"));
    expect(summary).toEqual({ drafts: 0, published: 1, unchanged: 0, refused: [] });
    const unknown = await bindery.cli("refresh", "--vocabulary", "organism");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no vocabulary "organism"')]);
    const { stdout } = await bindery.cli("audit", "--target", published.id, "--json");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { action: string; who: string });
    expect(lines.at(-1)).toMatchObject({ action: "record.refresh", who: "operator" });
  });

  it("leaves nothing for verify to say", async () => {
    await publish(ada.client, citing(1));
    await put("Second name");
    expect((await bindery.cli("verify")).stdout).toContain("all agrees");
    await refresh("--published");
    expect((await bindery.cli("verify")).stdout).toContain("all agrees");
  });
});
