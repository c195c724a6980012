import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

let server: InProcessServer;
let token: string;
beforeAll(async () => {
  server = await startInProcess();
  token = await server.token("ada", { scopes: ["records:write"] });
});
afterAll(() => server.close());

const MARKUP = `<script>alert("1")</script>&'<b>`;

/** Publishes a record. */
async function publish(title: string, general: object = {}): Promise<{ id: string; parent: string }> {
  const { metadata } = makeRecord(1, { title });
  const parts = { ...(metadata.general_parameters as object), ...general };
  const send = (method: "POST", url: string, payload?: object) =>
    server.app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
  const draft = (
    await send("POST", "/api/records/mst", { metadata: { ...metadata, general_parameters: parts } })
  ).json();
  const published = await send("POST", `/api/records/mst/${draft.id}/draft/actions/publish`);
  expect(published.statusCode, published.body).toBe(202);
  return { id: draft.id, parent: published.json().parent.id };
}

const get = (url: string, accept?: string) =>
  server.app.inject({ url, headers: accept === undefined ? {} : { accept } });

const JSON_ONLY = "application/json";

describe("by Accept", () => {
  const WITH_DATA = [
    "/search?q=a",
    "/records/mst",
    "/vocabularies",
    "/vocabularies/organisms/taxid:562",
    "/vocabularies/organisms/taxid:562/citations",
    "/models/mst",
  ];
  it.each(WITH_DATA)("%s is a page, and leads who likes JSON better to the same as data", async (url) => {
    for (const accept of [undefined, "*/*", "text/html", BROWSER.accept, "text/*;q=0.5"]) {
      const { statusCode, headers } = await get(url, accept);
      expect([accept, statusCode, headers["content-type"]]).toEqual([accept, 200, "text/html; charset=utf-8"]);
    }
    for (const accept of [JSON_ONLY, "application/json, text/html;q=0.9"]) {
      const { statusCode, headers } = await get(url, accept);
      expect(statusCode).toBe(303);
      expect(new URL(String(headers.location), `http://x${url}`).href).toBe(`http://x/api${url}`);
      expect(headers.vary).toContain("accept");
    }
    expect((await get(url, "image/png")).statusCode).toBe(406);
  });

  it.each([
    ["/search?q=a&view=table", "/api/search?q=a"],
    ["/vocabularies/organisms?view=tree&at=taxid:562", "/api/vocabularies/organisms"],
  ])("%s leads to the data without what says how the page looks", async (url, data) => {
    const { statusCode, headers } = await get(url, JSON_ONLY);
    expect([statusCode, new URL(String(headers.location), `http://x${url}`).href]).toEqual([303, `http://x${data}`]);
    expect((await get(data, JSON_ONLY)).statusCode).toBe(200);
  });

  it.each(["/", "/help", "/compare", "/api/docs"])("%s has no data, so who wants only JSON gets none", async (url) => {
    expect((await get(url, "text/html")).statusCode).toBe(200);
    expect((await get(url, JSON_ONLY)).statusCode).toBe(406);
  });

  it("a record leads who likes one of its formats better to the API, which has it", async () => {
    const { id } = await publish("Negotiated");
    for (const type of ["application/ld+json", "application/x-bibtex", "application/vnd.datacite.datacite+json"]) {
      const { statusCode, headers } = await get(`/records/${id}`, type);
      expect([type, statusCode]).toEqual([type, 303]);
      const answer = await get(new URL(String(headers.location), `http://x/records/${id}`).pathname, type);
      expect(answer.headers["content-type"]).toContain(type);
    }
    const page = await get(`/records/${id}`, BROWSER.accept);
    expect(page.headers.link).toContain('rel="cite-as"');
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.body)![1]!;
    expect(JSON.parse(data)).toMatchObject({ "@type": "Dataset", name: "Negotiated" });
    for (const [, path] of page.body.matchAll(/<link rel="alternate" type="[^"]+" href="\.\.([^"]+)"/g)) {
      expect((await get(path!, "*/*")).statusCode, path).toBe(200);
    }
  });

  it("an address of the API never answers HTML", async () => {
    expect((await get("/api/search", "text/html")).statusCode).toBe(406);
    expect((await get("/api/search", BROWSER.accept)).headers["content-type"]).toContain("application/json");
    expect((await get("/api/nothing", BROWSER.accept)).headers["content-type"]).toContain("application/json");
  });
});

describe("an error", () => {
  it.each([
    ["/nothing/here", 404],
    ["/records/mst/aaaaa-aaaaa", 404],
    ["/records/xyz", 404],
    ["/vocabularies/xyz", 404],
    ["/vocabularies/organisms/taxid:99999999", 404],
    ["/models/xyz", 404],
  ])("of %s is a page with the request's id, for people, and data for programs", async (url, status) => {
    const page = await get(url, BROWSER.accept);
    expect(page.statusCode).toBe(status);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("style-src 'self'");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.body).toContain(String(page.headers["x-request-id"]));
    expect(page.body.match(/<h1>/g)).toHaveLength(1);
    for (const accept of [undefined, "*/*"]) {
      const answer = await get(url, accept);
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ status });
    }
  });

  it("of one mistake says once what it is", async () => {
    const { body } = await get("/search?ph=2..1", BROWSER.accept);
    expect(body.match(/must be a range/g)).toHaveLength(1);
  });

  it("of a record that is not there offers a search for its id", async () => {
    const { body } = await get("/records/mst/aaaaa-aaaaa", BROWSER.accept);
    expect(body).toContain('href="../../search?q=aaaaa-aaaaa"');
  });

  it("of a caller who asks too often says when to come back", async () => {
    const limits = { reads: 100, searches: 1, writes: 100 };
    const limited = await startInProcess({}, undefined, { rateLimits: { users: limits, anonymous: limits } });
    const ask = () => limited.app.inject({ url: "/vocabularies/organisms", headers: BROWSER });
    expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    await limited.close();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(textOf(refused.body)).toContain("Too many requests");
  });

  it("that is ours says nothing of its cause", async () => {
    const broken = await startInProcess({
      searchRecords: () => Promise.reject(new Error("the secret cause")),
    });
    const { statusCode, body } = await broken.app.inject({ url: "/search", headers: BROWSER });
    await broken.close();
    expect(statusCode).toBe(500);
    expect(body).not.toContain("secret");
    expect(body).toContain("Something went wrong here");
  });

  it("of a retracted record is its tombstone", async () => {
    const { id } = await publish("Gone for good");
    const payload = { removal_reason: `Wrong ${MARKUP}` };
    const headers = { authorization: `Bearer ${token}` };
    const removed = await server.app.inject({ method: "DELETE", url: `/api/records/mst/${id}`, headers, payload });
    expect(removed.statusCode).toBe(204);
    for (const url of [`/records/${id}`, `/records/mst/${id}`]) {
      const { statusCode, body } = await get(url, BROWSER.accept);
      expect(statusCode).toBe(410);
      expect(textOf(body)).toContain("Gone for good");
      expect(textOf(body)).toContain(`Wrong ${MARKUP}`);
      expect(body).not.toContain("<script>");
    }
  });
});

describe("markup that somebody deposited", () => {
  it("is text on every page that shows it", async () => {
    const { id } = await publish(`Title ${MARKUP}`, {
      record_information: {
        ...(makeRecord(1).metadata.general_parameters as { record_information: object }).record_information,
        title: `Title ${MARKUP}`,
        external_identifier: `javascript:${MARKUP}`,
      },
    });
    const other = await publish("Another one");
    const pages = [
      "/",
      `/search?q=${encodeURIComponent("alert")}`,
      `/search?q=${encodeURIComponent(MARKUP)}`,
      "/search?view=table",
      `/records/${id}`,
      `/records/${id}/versions`,
      `/compare?ids=${id}&ids=${other.id}`,
      `/search?instrument=${encodeURIComponent(MARKUP)}`,
    ];
    for (const url of pages) {
      const { statusCode, body } = await get(url, BROWSER.accept);
      expect(statusCode, url).toBe(200);
      expect(body, url).not.toMatch(/<script>|<b>&|href="javascript:/);
    }
    expect(textOf((await get(`/records/${id}`, BROWSER.accept)).body)).toContain(`Title ${MARKUP}`);
    expect(textOf((await get("/search?q=alert", BROWSER.accept)).body)).toContain(
      MARKUP.replace("&'", "&' ").trim().slice(0, 8),
    );
  });
});

it("answers at the addresses that other repositories have", async () => {
  const { id } = await publish("An old link");
  for (const path of [`/mst/${id}`, `/record/${id}`, `/record/${id.toUpperCase()}`]) {
    const { statusCode, headers } = await get(path, "text/html");
    expect([path, statusCode]).toEqual([path, 301]);
    expect(new URL(String(headers.location), `http://x${path}`).pathname.toLowerCase()).toBe(`/records/${id}`);
  }
  const data = await get(`/mst/${id}`, JSON_ONLY);
  expect([data.statusCode, new URL(String(data.headers.location), `http://x/mst/${id}`).pathname]).toEqual([
    303,
    `/api/records/${id}`,
  ]);
  expect((await get("/mst/not-an-id", "text/html")).statusCode).toBe(404);
});
