import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish, recordWith } from "../support/deposit.js";
import type { Client, ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const INSTRUMENTS = "/api/vocabularies/instruments";

let bindery: Service;
let ada: TestUser;
let ben: TestUser;
let cleo: TestUser;
let last = 9_000;
let id: string;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  ben = await bindery.user("ben");
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write", "records:write"] });
});
afterAll(() => bindery.dispose());

const newId = (): string => `ins:${last++}`;
const item = (title: string, of = id) => ({ id: of, title: { en: title } });
const put = async (title: string, of = id, more: object = {}): Promise<ItemShape> => {
  const made = await cleo.client.post<ItemShape>(INSTRUMENTS, { ...item(title, of), ...more });
  if (made.status === 201) return made.body;
  const changed = await cleo.client.put<ItemShape>(`${INSTRUMENTS}/${of}`, { ...item(title, of), ...more });
  expect(changed.status, changed.text).toBe(200);
  return changed.body;
};
const citing = (n: number, of = id) => recordWith(n, { instrument: { id: of } });
const citationsOf = async (client: Client, query = "", of = id): Promise<SearchBody<RecordShape>> => {
  const answer = await client.get<SearchBody<RecordShape>>(`${INSTRUMENTS}/${of}/citations${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const idsOf = async (client: Client, query = "", of = id): Promise<string> => {
  const { hits } = await citationsOf(client, query, of);
  expect(hits.total).toBe(hits.hits.length);
  return hits.hits.map((hit) => `${hit.id} ${hit.state}`).join(", ");
};
const readTerm = (of = id) => bindery.client.get<ItemShape>(`${INSTRUMENTS}/${of}`);

beforeEach(async () => {
  id = newId();
  await put("Citata rerum");
});

describe("cited_by", () => {
  it("counts the latest version of each record right after every write, wherever an item is shown", async () => {
    const shown = async (): Promise<readonly number[]> => {
      const answers = [
        (await readTerm()).body,
        ...(await bindery.client.get<SearchBody<ItemShape>>(`${INSTRUMENTS}?ids=${id}`)).body.hits.hits,
        ...(await bindery.client.get<SearchBody<ItemShape>>(`${INSTRUMENTS}?q=${id}`)).body.hits.hits,
        ...(await bindery.client.get<SearchBody<ItemShape>>(`${INSTRUMENTS}?suggest=${id}`)).body.hits.hits,
        JSON.parse((await bindery.client.get(`${INSTRUMENTS}?q=${id}&format=ndjson`)).text) as ItemShape,
      ];
      expect(answers.map((one) => one.id)).toEqual(Array(5).fill(id));
      return answers.map(({ cited_by }) => cited_by);
    };
    expect(await shown()).toEqual([0, 0, 0, 0, 0]);
    const { id: draft } = await deposit(ada.client, citing(1));
    expect(await shown()).toEqual([0, 0, 0, 0, 0]);
    await ada.client.post(`/api/records/mst/${draft}/draft/actions/publish`);
    expect(await shown()).toEqual([1, 1, 1, 1, 1]);
    const version = await ada.client.post<RecordShape>(`/api/records/mst/${draft}/versions`);
    await ada.client.post(`/api/records/mst/${version.body.id}/draft/actions/publish`);
    expect(await shown()).toEqual([1, 1, 1, 1, 1]);
    await publish(ben.client, citing(2));
    expect(await shown()).toEqual([2, 2, 2, 2, 2]);
    await ada.client.delete(`/api/records/mst/${version.body.id}`);
    await ada.client.delete(`/api/records/mst/${draft}`);
    expect(await shown()).toEqual([1, 1, 1, 1, 1]);
  });

  it("is no part of the revision, which the ETag is", async () => {
    await publish(ada.client, citing(1));
    const { headers, body } = await readTerm();
    expect([headers.etag, body.cited_by]).toEqual(['"1"', 1]);
    const same = await bindery.client.get(`${INSTRUMENTS}/${id}`, { headers: { "if-none-match": '"1"' } });
    expect(same.status).toBe(304);
  });

  it("is ignored where an item that was read is sent back", async () => {
    await publish(ada.client, citing(1));
    const read = await readTerm();
    const sent = await cleo.client.put<ItemShape>(`${INSTRUMENTS}/${id}`, { ...read.body, cited_by: 99 });
    expect([sent.status, sent.body]).toEqual([200, read.body]);
  });
});

describe("the citations of a term", () => {
  it("are published records, drafts of their users, and for curators all drafts", async () => {
    const one = await publish(ada.client, citing(1));
    const two = await deposit(ada.client, citing(2));
    const three = await deposit(ben.client, citing(3));
    await deposit(ben.client, citing(4, "ins:2"));
    expect((await readTerm()).body.links.citations).toBe(`${bindery.url}${INSTRUMENTS}/${id}/citations`);
    const published = `${one.id} published`;
    expect(await idsOf(bindery.client)).toBe(published);
    expect(await idsOf(ada.client)).toBe(`${two.id} draft, ${published}`);
    expect(await idsOf(ben.client)).toBe(`${three.id} draft, ${published}`);
    expect(await idsOf(cleo.client)).toBe(`${three.id} draft, ${two.id} draft, ${published}`);
    expect(await idsOf(cleo.client, "?state=draft")).toBe(`${three.id} draft, ${two.id} draft`);
    const grants = `/api/records/mst/${three.id}/draft/access/grants`;
    await ben.client.post(grants, { user: "ada", permission: "read" });
    expect(await idsOf(ada.client, "?state=draft")).toBe(`${three.id} draft, ${two.id} draft`);
    await ben.client.delete(`${grants}/ada`);
    expect(await idsOf(ada.client, "?state=draft")).toBe(`${two.id} draft`);
    const narrow = await bindery.user("narrow-ada", { scopes: ["vocabularies:write"], role: "curator" });
    expect(await idsOf(narrow.client)).toBe(published);
    expect((await bindery.client.as("bnd_wrong").get(`${INSTRUMENTS}/${id}/citations`)).status).toBe(401);
  });

  it("have an edited record twice, and all versions, as many as a refused DELETE names", async () => {
    const one = await publish(ada.client, citing(1));
    await ada.client.post(`/api/records/mst/${one.id}/draft`);
    expect(await idsOf(ada.client)).toBe(`${one.id} draft, ${one.id} published`);
    expect(await idsOf(ben.client)).toBe(`${one.id} published`);
    const next = await ada.client.post<RecordShape>(`/api/records/mst/${one.id}/versions`);
    await ada.client.post(`/api/records/mst/${next.body.id}/draft/actions/publish`);
    expect(await idsOf(bindery.client)).toBe(`${next.body.id} published`);
    expect((await citationsOf(bindery.client, "?allversions=true")).hits.total).toBe(2);
    const { hits } = await citationsOf(cleo.client, "?allversions=true");
    const refused = await cleo.client.delete<Problem>(`${INSTRUMENTS}/${id}`);
    expect([refused.status, refused.body.code]).toEqual([409, "TERM_CITED"]);
    expect([hits.total, refused.body.message]).toEqual([3, expect.stringContaining("3 records")]);
  });

  it("are a search: with a query, facets, pages, cursors and other formats", async () => {
    for (let n = 1; n <= 5; n++) await publish(ada.client, citing(n));
    const page = await citationsOf(bindery.client, "?size=2&sort=oldest&facets=state");
    expect([page.hits.hits.length, page.hits.total]).toEqual([2, 5]);
    expect(page.aggregations?.state?.buckets).toMatchObject([{ key: "published", doc_count: 5 }]);
    expect(page.links.next).toBe(`${bindery.url}${INSTRUMENTS}/${id}/citations?facets=state&page=2&size=2&sort=oldest`);
    const walked: string[] = [];
    let next: string | undefined = `${INSTRUMENTS}/${id}/citations?cursor=*&size=2`;
    while (next !== undefined) {
      const { body }: { readonly body: SearchBody<RecordShape> } = await bindery.client.get(
        next.replace(bindery.url, ""),
      );
      walked.push(...body.hits.hits.map((hit) => hit.id));
      next = body.links.next;
    }
    expect(new Set(walked).size).toBe(5);
    const found = await citationsOf(bindery.client, `?q=id:${walked[0]}`);
    expect(found.hits.hits.map((hit) => hit.id)).toEqual([walked[0]]);
    const lines = await bindery.client.get(`${INSTRUMENTS}/${id}/citations?format=ndjson`);
    expect(lines.text.trim().split("\n")).toHaveLength(5);
    const ids = await citationsOf(bindery.client, `?ids=${walked[1]}&ids=zv0gv-btp27`);
    expect(ids.hits.hits.map((hit) => hit.id)).toEqual([walked[1]]);
    expect(ids.warnings).toMatchObject([{ code: "UNKNOWN_ID", value: "zv0gv-btp27" }]);
  });

  it("are of the successor where the term was replaced, and kept by nobody", async () => {
    const one = await publish(ada.client, citing(1));
    const successor = newId();
    await put("Successor", successor);
    await put("Citata rerum", id, { status: "deprecated", replaced_by: successor });
    const moved = await bindery.client.get(`${INSTRUMENTS}/${id}/citations`);
    expect([moved.status, moved.headers.location]).toEqual([
      301,
      `${bindery.url}${INSTRUMENTS}/${successor}/citations`,
    ]);
    expect(await idsOf(bindery.client, "", successor)).toBe(`${one.id} published`);
    const { headers } = await bindery.client.get(`${INSTRUMENTS}/${successor}/citations`);
    expect(headers["cache-control"]).toBe("private, no-store");
    const codeOf = async (path: string) => (await bindery.client.get<Problem>(`${path}/citations`)).body.code;
    expect(await codeOf(`${INSTRUMENTS}/ins:8999`)).toBe("TERM_NOT_FOUND");
    expect(await codeOf("/api/vocabularies/nothing/x")).toBe("VOCABULARY_NOT_FOUND");
  });
});

describe("everyone=true", () => {
  it("lists the drafts of all users, for curators only", async () => {
    const one = await publish(ada.client, citing(1));
    const two = await deposit(ben.client, citing(2));
    await ada.client.post(`/api/records/mst/${one.id}/draft`);
    const listed = async (query: string): Promise<readonly string[]> => {
      const answer = await cleo.client.get<SearchBody<RecordShape>>(
        `/api/user/records/mst?everyone=true&sort=newest&size=1000${query}`,
      );
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.hits.hits.every(({ state }) => state === "draft")).toBe(true);
      return answer.body.hits.hits.map((hit) => hit.id).slice(0, 2);
    };
    expect(await listed("")).toEqual([one.id, two.id]);
    expect((await listed("&is_published=true"))[0]).toBe(one.id);
    expect((await listed("&is_published=false"))[0]).toBe(two.id);
    expect(await listed(`&ids=${two.id}&ids=${one.id}`)).toEqual([two.id, one.id]);
    const refused = await ada.client.get<Problem>("/api/user/search?everyone=true");
    expect([refused.status, refused.body.code]).toEqual([403, "ACCESS_DENIED"]);
    expect((await bindery.client.get("/api/user/search?everyone=true")).status).toBe(401);
    const both = await cleo.client.get<Problem>("/api/user/search?everyone=true&shared=true");
    expect([both.status, both.body.errors?.[0]?.code]).toEqual([400, "PARAMETERS_CONFLICT"]);
  });
});
