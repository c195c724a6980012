import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Heard, hearBackground } from "../../../test/support/background.js";
import {
  COMPOUND_ID,
  type FakeAuthorities,
  GRANT_ID,
  MERGED_ID,
  ROR_ID,
  SUCCESSOR_ID,
  startAuthorities,
  TAXON_ID,
  WITHDRAWN_ID,
} from "../../../test/support/live-authorities.js";
import { answer, hangUp } from "../../../test/support/scripted-server.js";
import type { LiveAuthorityName } from "../../core/background.js";
import { makeCache } from "../../core/caches.js";
import { LIMITS } from "../../core/limits.js";
import type { AuthorityUnavailableError, LiveAuthority } from "../../ports/authorities.js";
import { LIVE_SOURCES } from "../index.js";
import { type AuthorityTimeLimits, askAuthority } from "./ask-authority.js";

let server: FakeAuthorities;
let background: Heard;

beforeEach(async () => {
  server = await startAuthorities();
  background = hearBackground();
});
afterEach(() => server.close());

const open = (name: LiveAuthorityName, patience: Partial<AuthorityTimeLimits> = {}, url = server.url): LiveAuthority =>
  askAuthority(LIVE_SOURCES[name], {
    url,
    email: "operator@example.org",
    headers: { "user-agent": "Bindery/test" },
    background,
    cache: makeCache(2 ** 20),
    patience: { timeoutMs: 2_000, retryMs: 5, openMs: 200, ...patience },
  });

const awayOf = async (
  question: Promise<unknown>,
): Promise<Pick<AuthorityUnavailableError, "reason" | "retrySeconds">> => {
  const error = await question.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "AuthorityUnavailableError" });
  return error as AuthorityUnavailableError;
};

const silent = (): void => undefined;
const cut = (response: ServerResponse): void => {
  response.writeHead(200, { "content-length": "1000" }).write('{"id":');
  setTimeout(() => response.destroy(), 20);
};

describe("what authorities say", () => {
  it("of an organisation is what their dumps say", async () => {
    const found = await open("ror").find(ROR_ID);
    expect(found).toMatchObject({
      kind: "found",
      item: {
        id: ROR_ID,
        title: { en: "Live Institute" },
        status: "active",
        replaced_by: null,
        props: { city: "Springfield", country: "Utopia", identifiers: ["isni:0000 0001 0000 0001"] },
      },
    });
    expect(await open("ror").find(WITHDRAWN_ID)).toMatchObject({
      item: { status: "deprecated", replaced_by: SUCCESSOR_ID },
    });
    expect(await open("ror").find("ror:0fake0099")).toEqual({ kind: "missing" });
    expect(server.arrived[0]).toMatchObject({
      method: "GET",
      url: "/v2/organizations/0fake0001",
      headers: { "user-agent": "Bindery/test" },
    });
  });

  it("of a project is what their dumps say", async () => {
    expect(await open("openaire").find(GRANT_ID)).toMatchObject({
      item: {
        id: GRANT_ID,
        title: { en: "Looking things up" },
        synonyms: [{ name: "LIVE", kind: "acronym" }],
        props: { funder_name: "European Commission", grant_id: "101000001" },
      },
    });
    expect(await open("openaire").find(GRANT_ID.replace("0123", "ffff"))).toEqual({ kind: "missing" });
  });

  it("of a compound is what their answers as files say, the first one of its key", async () => {
    expect(await open("pubchem").find(COMPOUND_ID)).toMatchObject({
      item: {
        id: COMPOUND_ID,
        title: { en: "Live spirit" },
        props: { smiles: "CCO", molecular_weight: { value: 46.07, unit: "g/mol" } },
      },
    });
    expect(await open("pubchem").find(COMPOUND_ID.replace("-N", "-M"))).toEqual({ kind: "missing" });
  });

  it("of a taxon are names and rank, of a merged one what replaced it; they are told who asks", async () => {
    const ncbi = open("ncbi");
    expect(await ncbi.find(TAXON_ID)).toMatchObject({
      item: { id: TAXON_ID, title: { en: "Vivus viridis" }, props: { rank: "species" } },
    });
    expect(await ncbi.find(MERGED_ID)).toMatchObject({
      item: { id: MERGED_ID, title: { en: "Vivus viridis" }, status: "deprecated", replaced_by: TAXON_ID },
    });
    expect(await ncbi.find("taxid:990000099")).toEqual({ kind: "missing" });
    const asked = new URL(server.arrived[0]!.url, "http://localhost").searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({ tool: "bindery", email: "operator@example.org" });
  });

  it("in a search is a page of items with the number of all", async () => {
    expect(await open("ror").search("institute", 1)).toMatchObject({ total: 3, items: [{ id: ROR_ID }, {}, {}] });
    expect(await open("ror").search("institute", 2)).toEqual({ total: 3, items: [] });
    expect(await open("openaire").search("looking", 1)).toMatchObject({ total: 1, items: [{ id: GRANT_ID }] });
    expect(await open("pubchem").search("Live spirit", 1)).toMatchObject({ total: 1, items: [{ id: COMPOUND_ID }] });
    expect(await open("pubchem").search("CID:99000001", 1)).toMatchObject({ total: 1 });
    expect(await open("pubchem").search("nothing", 1)).toEqual({ total: 0, items: [] });
    expect(await open("ncbi").search("Vivus", 1)).toMatchObject({ total: 1, items: [{ id: TAXON_ID }] });
    expect(await open("ncbi").search("zzz", 1)).toEqual({ total: 0, items: [] });
  });
});

describe("a text that was sent", () => {
  it.each(["../../admin", "..", "a/b?c=d#e", "https://evil.example/", "%2e%2e/"])(
    "stays in its place: %s",
    async (text) => {
      await open("pubchem").search(text, 1);
      await open("ror").search(text, 1);
      for (const { url } of server.arrived) expect(url).toMatch(/^\/(rest\/pug\/compound\/name|v2\/organizations)[/?]/);
      const [, , , , , name] = server.arrived.find(({ url }) => url.startsWith("/rest/"))?.url.split("/") ?? [];
      if (name !== undefined) expect(decodeURIComponent(name)).toBe(text);
    },
  );

  it("is no syntax for ROR", async () => {
    await open("ror").search('MIT (Boston) AND "x" <1>', 1);
    const { searchParams } = new URL(server.arrived[0]!.url, "http://localhost");
    expect(searchParams.get("query")).toBe('MIT \\(Boston\\) AND \\"x\\"  1 ');
  });
});

describe("an authority that is away", () => {
  it("is asked again where it failed quickly, and the answer counts", async () => {
    server.next(answer(503, {}), hangUp);
    expect(await open("ror").find(ROR_ID)).toMatchObject({ kind: "found" });
    expect(server.arrived).toHaveLength(3);
    expect(background.lookups).toEqual(["found"]);
  });

  it("is given up after three attempts", async () => {
    server.always(answer(500, {}));
    expect((await awayOf(open("ror").find(ROR_ID))).reason).toBe("failing");
    expect(server.arrived).toHaveLength(3);
    expect(background.lookups).toEqual(["unavailable"]);
    expect(background.last("lookup-ror")).toMatchObject({
      code: "LOOKUP_UNAVAILABLE",
      message: expect.stringMatching(/^ROR answers with errors/),
    });
  });

  it("is not waited for longer than the time limit", async () => {
    server.always(silent);
    const began = performance.now();
    expect((await awayOf(open("ror", { timeoutMs: 150 }).find(ROR_ID))).reason).toBe("silent");
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(server.arrived).toHaveLength(1);
  });

  it("may be down altogether", async () => {
    await server.close();
    expect((await awayOf(open("ror").find(ROR_ID))).reason).toBe("silent");
  });

  it("is not asked for a while after three questions without an answer, then asked once, then as before", async () => {
    server.always(answer(500, {}));
    const ror = open("ror", { openMs: 300 });
    for (const id of [1, 2, 3]) await awayOf(ror.find(`ror:0fake000${id}`));
    const asked = server.arrived.length;
    const { reason, retrySeconds } = await awayOf(ror.find(ROR_ID));
    expect([reason, retrySeconds, server.arrived.length]).toEqual(["silent", 1, asked]);

    server.always(undefined);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(await ror.find(ROR_ID)).toMatchObject({ kind: "found" });
    expect(await ror.find("ror:0fake0099")).toEqual({ kind: "missing" });
    expect(background.last("lookup-ror")).toBe("success");
  });

  it("is not asked again before the time that it names, whatever is asked", async () => {
    server.next(answer(429, {}, { "retry-after": "120" }));
    const ror = open("ror");
    expect(await awayOf(ror.find(ROR_ID))).toMatchObject({ reason: "paused", retrySeconds: 120 });
    expect(await awayOf(ror.search("institute", 1))).toMatchObject({ reason: "paused", retrySeconds: 120 });
    expect(server.arrived).toHaveLength(1);
    // Others are.
    expect(await open("openaire").find(GRANT_ID)).toMatchObject({ kind: "found" });
  });

  it("may name a date, or nothing", async () => {
    server.next(answer(429, {}, { "retry-after": new Date(Date.now() + 90_000).toUTCString() }), answer(429, {}));
    const { retrySeconds } = await awayOf(open("ror").find(ROR_ID));
    expect(retrySeconds).toBeGreaterThan(80);
    expect(retrySeconds).toBeLessThanOrEqual(90);
    expect((await awayOf(open("ror").find(ROR_ID))).retrySeconds).toBe(60);
  });
});

describe("an answer that cannot be used", () => {
  it.each<readonly [what: string, authority: LiveAuthorityName, (response: ServerResponse) => void]>([
    ["no JSON", "ror", (response) => response.end("<html>")],
    ["a list", "ror", answer(200, [])],
    ["no record", "ror", answer(200, {})],
    ["another id", "ror", answer(200, { id: "https://ror.org/0fake0002", names: [{ value: "Another", types: [] }] })],
    ["a page of HTML with 404", "ror", (response) => response.writeHead(404).end("<html>")],
    ["a 404 that names no error", "ror", answer(404, {})],
    ["a refusal", "ror", answer(403, {})],
    ["another place", "ror", answer(302, {}, { location: "http://127.0.0.1:1/elsewhere" })],
    ["no count", "openaire", answer(200, { header: {}, results: [] })],
    ["no table", "pubchem", answer(200, { Waiting: { ListKey: "1" } })],
    ["another fault", "pubchem", answer(400, { Fault: { Code: "PUGREST.Timeout" } })],
    ["no result", "ncbi", answer(200, { error: "API rate limit exceeded" })],
    ["no name", "ncbi", answer(200, { result: { "990000001": { uid: "990000001" } } })],
  ])("is %s from %s: nothing is remembered", async (_, name, behaviour) => {
    const id = { ror: ROR_ID, openaire: GRANT_ID, pubchem: COMPOUND_ID, ncbi: TAXON_ID }[name];
    server.next(behaviour);
    const authority = open(name);
    expect((await awayOf(authority.find(id))).reason).toBe("unreadable");
    expect(server.arrived).toHaveLength(1);
    expect(await authority.find(id)).toMatchObject({ kind: "found" });
  });

  it("is one that is too large, of which no more is read", async () => {
    let sent = 0;
    server.next((response) => {
      const chunk = Buffer.alloc(64 * 1024, 32);
      const send = (): void => {
        while (!response.destroyed && sent < 100 * LIMITS.lookupAnswerBytesMax) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", send);
        }
      };
      send();
    });
    expect((await awayOf(open("ror").find(ROR_ID))).reason).toBe("unreadable");
    expect(sent).toBeLessThan(20 * LIMITS.lookupAnswerBytesMax);
  });

  it("is one that ends too early, and is asked for again", async () => {
    server.next(cut);
    expect(await open("ror").find(ROR_ID)).toMatchObject({ kind: "found" });
  });
});

describe("what was answered", () => {
  it("is remembered, that there is no such id too", async () => {
    const ror = open("ror");
    for (let i = 0; i < 3; i++) {
      expect(await ror.find("ror:0fake0099")).toEqual({ kind: "missing" });
      expect(await ror.search("institute", 1)).toMatchObject({ total: 3 });
    }
    expect(server.arrived).toHaveLength(2);
    expect(background.lookups).toEqual(["missing", "searched"]);
  });

  it("answers all who asked for it at once", async () => {
    const ror = open("ror");
    const answers = await Promise.all(Array.from({ length: 20 }, () => ror.find(ROR_ID)));
    expect(new Set(answers).size).toBe(1);
    expect(server.arrived).toHaveLength(1);
  });
});

it("asks no faster than the authority allows, and refuses what would wait too long", async () => {
  const ncbi = open("ncbi", { timeoutMs: 1_200 });
  const began = performance.now();
  const ids = Array.from({ length: 60 }, (_, i) => `taxid:9900001${String(i).padStart(2, "0")}`);
  const outcomes = await Promise.allSettled(ids.map((id) => ncbi.find(id)));
  const seconds = (performance.now() - began) / 1000;
  expect(server.arrived.length).toBeGreaterThan(2);
  expect(server.arrived.length).toBeLessThanOrEqual(Math.ceil(seconds * 3) + 1);
  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.reason] : []));
  expect(new Set(refused)).toEqual(new Set(["crowded"]));
  // It did nothing wrong.
  expect(await open("ncbi").find(TAXON_ID)).toMatchObject({ kind: "found" });
});
