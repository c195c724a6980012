/** Public answers count nothing private: the same requests give the same bytes, whatever others save. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer, Client } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { SEED } from "../support/seed.js";
import { type Service, startService } from "../support/service.js";

interface Body {
  readonly id: string;
  readonly revision_id: number;
  readonly versions: { readonly index: number };
}

let bindery: Service;
let owner: Client;
let other: Client;
/** Published records of `owner`, the first of them in two versions. */
let ids: readonly string[];
let addresses: readonly string[];

const BASE = "/api/records/mst";
const FEED = "/api/changes?size=1000";

/** A word that only drafts have, and one that is nearly the same. */
const DRAFT_WORD = "zyzzyvaquux";
const NEAR_WORD = "zyzzyvaquuz";

beforeAll(async () => {
  bindery = await startService();
  owner = (await bindery.user("owner")).client;
  other = (await bindery.user("other")).client;
  const published: string[] = [];
  for (let n = 0; n < 6; n++) published.push((await publishNew(n)).id);
  const next = (await send("POST", `${BASE}/${published[0]}/versions`, owner)).body;
  await send("PUT", `${BASE}/${next.id}/draft`, owner, makeRecord(50));
  await send("POST", `${BASE}/${next.id}/draft/actions/publish`, owner);
  ids = [...published, next.id];
  addresses = await publicAddresses();
}, 60_000);
afterAll(() => bindery.dispose());

type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";

function send<Content = Body>(method: Method, url: string, client?: Client, json?: object): Promise<Answer<Content>> {
  return (client ?? bindery.client).send<Content>(method, url, json === undefined ? {} : { json });
}

async function publishNew(n: number, saves = 0): Promise<Body> {
  const draft = (await send("POST", BASE, owner, makeRecord(n))).body;
  for (let i = 0; i < saves; i++) await send("PUT", `${BASE}/${draft.id}/draft`, owner, makeRecord(1_000 + i));
  const answer = await send("POST", `${BASE}/${draft.id}/draft/actions/publish`, owner);
  expect(answer.status, answer.text.slice(0, 500)).toBe(202);
  return answer.body;
}

/** Addresses that anybody may read, with the cursors that links have. */
async function publicAddresses(): Promise<readonly string[]> {
  const [first, , third] = ids;
  const searches = ["/api/search", "/api/records", BASE, "/api/vocabularies/organisms", "/api/vocabularies/chemicals"];
  const vocabulary = "/api/vocabularies/organisms";
  const plain = [
    ...["/api", "/api/models", "/api/models/mst", "/api/models/mst/fields", "/api/search/fields", "/api/vocabularies"],
    ...["/readyz", "/healthz", "/robots.txt", "/sitemap.xml", "/api/user/search", "/api/tokens", "/api/audit"],
    ...["/api/changes", "/api/changes?size=2", "/api/changes?since=0&wait=0", "/api/changes?format=ndjson"],
    ...searches.flatMap((path) =>
      ["", "?size=2", "?size=2&cursor=*", "?size=2&sort=oldest&cursor=*"].map((q) => path + q),
    ),
    ...[
      `${BASE}?sort=kd&size=2&cursor=*`,
      `${BASE}?q=lysozyme&size=1&cursor=*`,
      `${BASE}?format=csv`,
      `${BASE}?format=ndjson`,
    ],
    ...[DRAFT_WORD, NEAR_WORD, `${DRAFT_WORD.slice(0, 6)}*`, `${NEAR_WORD}~`].flatMap((word) => [
      ...["/api/search", BASE, vocabulary].map((path) => `${path}?q=${word}`),
      ...[`/api/query?q=${word}`, `/search?q=${word}`, `${vocabulary}?suggest=${word}`],
    ]),
    ...[`/api/query?q=title:${DRAFT_WORD.slice(0, 5)}&complete=1&at=11`, "/api/query?q=kd:<10nM&model=mst"],
    ...[`${vocabulary}/taxid:562`, `${vocabulary}/taxid:562/citations`, `${vocabulary}?suggest=esch`],
    ...["", "/search", "/records/mst", "/vocabularies", "/vocabularies/organisms", "/models", "/compare"].map(
      (p) => p || "/",
    ),
    ...[`/compare?ids=${first}&ids=${third}`, "/search?q=lysozyme&view=table", "/vocabularies/organisms/taxid:562"],
    ...ids.flatMap((id) => [
      ...["", "/versions", "/versions/latest", "/files", "/draft", "/draft/access/grants"].map(
        (path) => `${BASE}/${id}${path}`,
      ),
      ...[`${BASE}/${id}?format=bibtex`, `/records/${id}/export/bibtex`, `/records/${id}`, `/records/${id}/versions`],
    ]),
  ];
  const next: string[] = [];
  for (const url of plain.filter((each) => each.includes("cursor=*") || each.startsWith("/api/changes?size"))) {
    const { body } = await send<{ readonly links?: { readonly next?: string }; readonly next?: string }>("GET", url);
    const link = body.links?.next;
    if (link !== undefined) next.push(link.slice(link.indexOf("/api")));
    if (body.next !== undefined) next.push(`/api/changes?since=${body.next}`);
  }
  expect(next.filter((url) => url.includes("cursor=")).length).toBeGreaterThan(5);
  return [...new Set([...plain, ...next])];
}

/** Headers that differ from request to request, of the same caller and to the same address. */
const CHANGING = ["date", "x-request-id"];

async function readAll(): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const url of addresses) {
    for (const method of url.startsWith("/api/changes") ? (["GET", "HEAD"] as const) : (["GET"] as const)) {
      const { status, headers, text } = await send(method, url);
      const shown = Object.entries(headers).filter(([name]) => !CHANGING.includes(name));
      const id = String(headers["x-request-id"]);
      answers.set(`${method} ${url}`, JSON.stringify([status, shown, text.replaceAll(id, "")]));
    }
  }
  return answers;
}

const drafts: string[] = [];

/**
 * Actions of other users that nobody else may notice. They leave out the draft of a new version, which
 * `versions.is_latest_draft` of the published record shows by contract.
 */
const PRIVATE_WORK: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
  create: async (n) => {
    const body = makeRecord(n, { title: `${DRAFT_WORD} ${n}`, organism: () => "taxid:562" });
    drafts.push((await send("POST", BASE, other, body)).body.id);
  },
  save: async (n) => {
    const id = drafts[n % drafts.length];
    if (id !== undefined) await send("PUT", `${BASE}/${id}/draft`, other, makeRecord(n, { title: DRAFT_WORD }));
  },
  saveErrors: async (n) => {
    const id = drafts[n % drafts.length];
    if (id !== undefined) await send("PUT", `${BASE}/${id}/draft`, other, { metadata: { nonsense: n } });
  },
  remove: async (n) => {
    const [id] = drafts.splice(n % (drafts.length || 1), 1);
    if (id !== undefined) await send("DELETE", `${BASE}/${id}/draft`, other);
  },
  share: async (n) => {
    const id = drafts[n % drafts.length];
    const grant = { user: "owner", permission: n % 2 === 0 ? "read" : "write" };
    if (id !== undefined) await send("POST", `${BASE}/${id}/draft/access/grants`, other, grant);
  },
  edit: async (n) => {
    const id = ids[n % ids.length]!;
    await send("POST", `${BASE}/${id}/draft`, owner);
    await send("PUT", `${BASE}/${id}/draft`, owner, makeRecord(n, { title: `${DRAFT_WORD} edit ${n}` }));
  },
  discardEdit: async (n) => void (await send("DELETE", `${BASE}/${ids[n % ids.length]}/draft`, owner)),
  refused: async (n) => void (await send("DELETE", `${BASE}/${ids[n % ids.length]}`, other)),
  token: async (n) => void (await bindery.user(`user-${n}`)),
};

/** Returns both texts from a little before the place where they differ. */
function firstDifference(one: string, other: string): readonly string[] {
  const at = [...one].findIndex((letter, i) => letter !== other[i]);
  return [one, other].map((text) => text.slice(Math.max(0, at - 60), at + 100));
}

it("changes no public answer when others save, share, edit and discard", { timeout: 300_000 }, async () => {
  // The second time answers may come from the cache; the third time they must be the same still.
  await readAll();
  const before = await readAll();
  const work = fc.array(fc.tuple(fc.constantFrom(...Object.keys(PRIVATE_WORK)), fc.nat(60)), {
    minLength: 4,
    maxLength: 12,
  });
  const check = async (actions: readonly (readonly [string, number])[]): Promise<void> => {
    for (const [name, n] of actions) await PRIVATE_WORK[name]!(n);
    const after = await readAll();
    const changed = [...before].filter(([url, answer]) => after.get(url) !== answer);
    expect(changed.map(([url, answer]) => [url, ...firstDifference(answer, after.get(url)!)])).toEqual([]);
  };
  await check(Object.keys(PRIVATE_WORK).map((name, n) => [name, n]));
  await fc.assert(fc.asyncProperty(work, check), { numRuns: 2, seed: SEED, endOnFailure: true });
});

it("gives the next public change the next number, however often drafts were saved before it", async () => {
  const lastSeq = async (): Promise<number> => {
    const { body } = await send<{ readonly changes: readonly { readonly seq: number }[] }>("GET", FEED);
    return body.changes.at(-1)!.seq;
  };
  for (const saves of [0, 1, 5]) {
    const before = await lastSeq();
    for (let n = 0; n < saves; n++) await PRIVATE_WORK.create!(n);
    await publishNew(60 + saves, saves);
    expect(await lastSeq()).toBe(before + 1);
  }
});

it("counts no version that was discarded before it was public", async () => {
  const id = (await publishNew(70)).id;
  for (let n = 0; n < 3; n++) {
    const { id: draft } = (await send("POST", `${BASE}/${id}/versions`, owner)).body;
    await send("DELETE", `${BASE}/${draft}/draft`, owner);
  }
  const { id: next } = (await send("POST", `${BASE}/${id}/versions`, owner)).body;
  await send("PUT", `${BASE}/${next}/draft`, owner, makeRecord(71));
  const answer = await send("POST", `${BASE}/${next}/draft/actions/publish`, owner);
  expect(answer.body.versions.index).toBe(2);
});
