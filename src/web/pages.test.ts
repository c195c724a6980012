import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, PUBLIC_URL } from "../../test/support/in-process-server.js";
import { PAGE_ADDRESSES } from "../../test/support/page-addresses.js";
import { readVersion } from "../app/composition/package-root.js";

let server: InProcessServer;
let record: string;
let other: string;
beforeAll(async () => {
  server = await startDemo();
  const first = async (url: string) => (await server.app.inject(url)).json().hits.hits[0].id;
  record = await first("/api/records/spr?q=HyHEL-10");
  other = await first("/api/search?q=calmodulin");
}, 120_000);
afterAll(() => server.close());

const addressOf = (template: string) => template.replace(":record", record).replace(":other", other);
const page = (url: string, headers: Record<string, string> = BROWSER) => server.app.inject({ url, headers });

describe.each(PAGE_ADDRESSES)("the page at %s", (template) => {
  const get = () => page(addressOf(template));

  it("is finished HTML that loads its style sheet and its script from here only, and runs nothing else", async () => {
    const answer = await get();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(answer.headers["content-security-policy"]);
    const inline = [...answer.body.matchAll(/<script type="text\/javascript">(.*?)<\/script>/g)].map(
      ([, text]) => text!,
    );
    expect(inline).toHaveLength(1);
    const hash = createHash("sha256").update(inline[0]!).digest("base64");
    const styles = "style-src 'self'; font-src 'self'; ";
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; ${styles}`);
    expect(policy).toContain("connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types bindery");
    const scripts =
      answer.body.replaceAll(/<script type="(application\/ld\+json|text\/javascript)">/g, "").match(/<script[^>]*>/g) ??
      [];
    const own = /^<script type="module" src="[./]+assets\/(page|search)-[\w-]+\.js">$/;
    expect(scripts.filter((script) => !own.test(script))).toEqual([]);
    expect(answer.body).not.toMatch(/<img (?!class="structure" src="[./]+api\/)|<style|@import| style="| on[a-z]+="/);
  });

  it("says its language, fits a phone, and has one first heading and one search field for its query", async () => {
    const { body } = await get();
    expect(body.match(/<input id="q" name="q" type="search"/g)).toHaveLength(1);
    expect(body.indexOf('id="q"') < body.indexOf("<main") || template === "/").toBe(true);
    expect(body).toMatch(/^<!doctype html><html lang="en">/);
    expect(body).toContain('content="width=device-width, initial-scale=1"');
    expect(body.match(/<h1>/g)).toHaveLength(1);
    expect(body).not.toContain("[object Object]");
    expect(body).not.toContain("undefined");
  });

  it("has no link within it that leads nowhere, and no anchor twice", async () => {
    const { body } = await get();
    const anchors = [...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i)).toEqual([]);
    const targets = linksOf(body).filter((link) => link.startsWith("#"));
    expect(targets.filter((target) => !anchors.includes(target.slice(1)))).toEqual([]);
  });

  it("is answered with 304 to who has it", async () => {
    const { headers } = await get();
    expect(headers["cache-control"]).toBe("public, no-cache");
    expect(headers.vary).toContain("accept");
    const again = await page(addressOf(template), { ...BROWSER, "if-none-match": String(headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe("");
  });
});

it("leads only to addresses that are there, from every kind of page", async () => {
  const known = new Set<string>();
  for (const template of PAGE_ADDRESSES) {
    const from = addressOf(template);
    const links = linksOf((await page(from)).body).filter((link) => !/^(data:|#|https?:)/.test(link));
    for (const link of links) {
      const { pathname, search } = new URL(link, `${PUBLIC_URL}${from}`);
      known.add(pathname + search);
    }
  }
  expect(known.size).toBeGreaterThan(300);
  const wrong: string[] = [];
  for (const address of oneOfEachShape(known)) {
    const { statusCode } = await page(address, { accept: "*/*" });
    if (statusCode !== 200) wrong.push(`${statusCode} ${address}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

/**
 * One of the addresses that differ only in which record or term they name, or in values of the same parameters; of each
 * format of a search the one with the most parameters.
 */
function oneOfEachShape(addresses: Iterable<string>): readonly string[] {
  const shapes = new Map<string, URL>();
  for (const address of addresses) {
    const url = new URL(address, PUBLIC_URL);
    const path = url.pathname
      .replace(/\/[0-9a-z]{5}-[0-9a-z]{5}(?=\/|$)/g, "/:record")
      .replace(/(\/vocabularies\/\w+)\/[^/]+/, "$1/:term");
    const format = url.searchParams.get("format");
    const shape = `${path} ${format ?? [...new Set(url.searchParams.keys())].sort()}`;
    const other = shapes.get(shape);
    if (other === undefined || url.searchParams.size > other.searchParams.size) shapes.set(shape, url);
  }
  return [...shapes.values()].map(({ pathname, search }) => pathname + search);
}

it.each(["/search?q=lysozyme&view=table&kd=1pM..1nM&s=5", "/vocabularies/organisms?q=coli&sort=title"])(
  "carry what somebody reads and nothing else in their links and forms: %s",
  async (address) => {
    const plain = (await page(address)).body;
    const { body } = await page(`${address}&colour=red&b=1&units.kd=nM`);
    expect(linksOf(body).filter((link) => /colour|units|[?&]b=/.test(link))).toEqual([]);
    expect(body).not.toMatch(/name="(colour|b|units\.kd)"/);
    expect(linksOf(body)).toEqual(linksOf(plain));
  },
);

describe("the budgets", () => {
  it("of the style sheet: 12 kB", async () => {
    const sheet = linksOf((await page("/")).body).find((link) => link.endsWith(".css"))!;
    const answer = await page(sheet.slice(1), { accept: "text/css,*/*;q=0.1" });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers["content-type"]).toBe("text/css; charset=utf-8");
    expect(gzipSync(answer.rawPayload).length).toBeLessThan(12_000);
  });

  it("of the typeface: 40 kB, italics and all, the upright letters loaded with the page", async () => {
    const { body } = await page("/");
    const [, font] = / as="font" type="font\/woff2" crossorigin="anonymous" href="\.\/assets\/([^"]+)"/.exec(body)!;
    const sheet = linksOf(body).find((link) => link.endsWith(".css"))!;
    const css = (await page(sheet.slice(1))).body;
    const fonts = [...new Set([...css.matchAll(/url\("([^"]+)"\)/g)].map(([, name]) => name!))];
    expect(fonts).toHaveLength(2);
    expect(fonts).toContain(font);
    const answers = await Promise.all(fonts.map((name) => page(`/assets/${name}`, { accept: "*/*" })));
    for (const { headers, rawPayload } of answers) {
      expect(headers["content-type"]).toBe("font/woff2");
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(rawPayload.subarray(0, 4).toString()).toBe("wOF2");
    }
    expect(answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)).toBeLessThan(40_000);
  });

  it.each(["/", "/search", "/search?q=lysozyme", "/records/:record", "/models/spr"])(
    "of %s: 25 kB",
    async (template) => {
      const { rawPayload } = await page(addressOf(template));
      expect(gzipSync(rawPayload).length).toBeLessThan(25_000);
    },
  );
});

describe("the pages that people come to first", () => {
  /** What a new connection brings before it waits for an answer: ten segments (RFC 6928), less those of the head. */
  const FIRST_FLIGHT = 10 * 1_460 - 1_460;

  it.each(["/", "/search", "/search?q=lysozyme", "/records/mst?q=kd:*", "/records/:record"])(
    "come at once (%s): one round trip, few elements to lay out, one file that they wait for",
    async (template) => {
      const { body, rawPayload } = await page(addressOf(template));
      expect(gzipSync(rawPayload).length).toBeLessThan(FIRST_FLIGHT);
      expect(body.match(/<[a-z]/g)!.length).toBeLessThan(1_200);
      expect(body.match(/<link rel="stylesheet"/g)).toHaveLength(1);
      // A module is run when the page is there; the style sheet, which it is shown with, is asked for before it.
      expect(body).toMatch(/<link rel="stylesheet".*<script type="module" src=/);
      // Only the theme is applied before.
      expect(body.match(/<script(?! type="(module|application\/ld\+json)")/g)).toHaveLength(1);
    },
  );
});

it("has a mark, which is its icon too, and the colours of its paper for the window", async () => {
  const { body } = await page("/");
  const icons = linksOf(body).filter((link) => link.includes("/favicon-"));
  const [old, drawn] = await Promise.all(icons.map((icon) => page(icon.slice(1), { accept: "image/*,*/*;q=0.8" })));
  expect(old!.headers["content-type"]).toBe("image/vnd.microsoft.icon");
  expect(drawn!.headers["content-type"]).toBe("image/svg+xml");
  for (const icon of [old!, drawn!]) expect(icon.headers["cache-control"]).toContain("immutable");
  expect((await page("/favicon.ico", { accept: "*/*" })).rawPayload).toEqual(old!.rawPayload);
  const mark = body.slice(body.indexOf('<svg class="mark"'), body.indexOf("</a>", body.indexOf('<svg class="mark"')));
  const shapes = (svg: string) => svg.match(/ (?:d|cx|cy|r)="[^"]+"/g);
  expect(shapes(mark)).toHaveLength(4);
  expect(shapes(mark)).toEqual(shapes(drawn!.body));
  const [, ...paper] = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(readFileSync("src/web/styles/tokens.css", "utf8"))!;
  expect([...body.matchAll(/<meta name="theme-color" [^>]*content="([^"]+)"/g)].map(([, color]) => color)).toEqual(
    paper,
  );
});

it("shows structures on the pages of compounds, and beside the entities of records that cite them", async () => {
  const caffeine = "vocabularies/chemicals/inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N";
  expect((await page(`/${caffeine}`)).body).toContain(
    `<img class="structure" src="../../api/${caffeine}/structure.svg?v=1"` +
      ' alt="Structure of Caffeine" width="240" height="180" loading="lazy"',
  );
  const { hits } = (await server.app.inject("/api/search?q=acetazolamide&size=1")).json();
  const { body } = await page(`/records/${hits.hits[0].id}`);
  const src = /<img class="structure" src="([^"]+)" alt="Structure of Acetazolamide"/.exec(body)?.[1] ?? "";
  const { pathname, search } = new URL(src, `${PUBLIC_URL}/records/x`);
  const picture = await server.app.inject({ url: pathname + search, headers: { accept: "image/svg+xml,image/*" } });
  expect(picture.headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=31536000, immutable",
  });
});

describe("small drawings of structures", () => {
  const drawnIn = (body: string) =>
    [
      ...body.matchAll(
        /<img class="structure" src="[^"]+" alt="Structure of ([^"]+)" width="120" height="90" loading="lazy"/g,
      ),
    ].map(([, title]) => title);

  it("stand beside hits, of the entities but not of what is in the buffer", async () => {
    const { body } = await page("/search?q=acetazolamide");
    const hits = body.split('<li id="hit-').slice(1);
    expect(hits.length).toBeGreaterThan(1);
    for (const hit of hits) expect(drawnIn(hit)).toEqual(["Acetazolamide"]);
    const { body: proteins } = await page("/search?q=HyHEL-10+chemical:chloride");
    expect(proteins).toContain('<li id="hit-');
    expect(drawnIn(proteins)).toEqual([]);
    expect(drawnIn((await page("/search?q=acetazolamide&view=table")).body)).toEqual([]);
    expect(drawnIn((await page("/search?q=acetazolamyde")).body)).toContain("Acetazolamide");
  });

  it("stand in lists of terms, and in the heads of comparisons", async () => {
    expect(drawnIn((await page("/vocabularies/chemicals?q=caffeine")).body)).toContain("Caffeine");
    expect(drawnIn((await page("/vocabularies/organisms")).body)).toEqual([]);
    const { hits } = (await server.app.inject("/api/search?q=acetazolamide&size=1")).json();
    const { body } = await page(`/compare?ids=${hits.hits[0].id}&ids=${record}`);
    expect(drawnIn(body.slice(0, body.indexOf("</thead>")))).toEqual(["Acetazolamide"]);
  });
});

describe("the start page", () => {
  it("shows what is here: counts, a picture of it, the newest records and the vocabularies", async () => {
    const { body } = await page("/");
    const text = textOf(body);
    for (const model of ["bli", "itc", "mst", "spr"]) {
      const { hits } = (await server.app.inject(`/api/records/${model}?size=1`)).json();
      expect(body).toContain(`href="./records/${model}"`);
      expect(text).toContain(` ${hits.total} `);
    }
    expect(text).toMatch(/KD of all records .*1–10 nM: (\d+) records \1 .* 1 pM 1 nM 1 µM 1 mM/);
    expect(body).toContain('href="./search?kd=1e-9..1e-8"');
    const { hits } = (await server.app.inject("/api/search?size=5&sort=newest")).json();
    for (const { id } of hits.hits) expect(body).toContain(`href="./records/${id}"`);
    const vocabularies = (await server.app.inject("/api/vocabularies")).json();
    for (const { id, title, count } of vocabularies.hits.hits) {
      expect(body).toContain(`href="./vocabularies/${id}"`);
      expect(text).toContain(`${title} ${count}`);
    }
    expect(body).toContain(`Bindery ${readVersion()}, `);
  });

  it("shows examples that find something", async () => {
    const { body } = await page("/");
    const examples = linksOf(body).filter((link) => link.startsWith("./search?q="));
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      const { hits } = (await server.app.inject(`/api/${example.slice(2)}`)).json();
      expect(hits.total, example).toBeGreaterThan(0);
    }
  });
});

describe("the page about depositing", () => {
  it("says who gives a token, and has the example, the schema and the least record of each model", async () => {
    for (const model of ["bli", "itc", "mst", "spr"]) {
      const { body } = await page(`/deposit?model=${model}`);
      expect(body).toContain("npx bindery user add ada");
      expect(body).toContain(`download="${model}-example.json"`);
      for (const link of linksOf(body).filter((each) => each.startsWith(`./api/models/${model}`))) {
        expect((await server.app.inject(link.slice(1))).statusCode, link).toBe(200);
      }
      const [, least] = /cat &gt; record.json &lt;&lt;&#39;END&#39;|cat > record.json &lt;&lt;'END'\n(.*?)\nEND</s.exec(
        body,
      )!;
      expect(
        Object.keys(JSON.parse(least!.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&"))),
      ).toEqual(["metadata"]);
    }
  });

  it("has a name of its own for each button that copies", async () => {
    for (const address of ["/deposit", "/help/client", "/help/api"]) {
      const { body } = await page(address);
      const names = [...body.matchAll(/data-what="([^"]*)"/g)].map(([, name]) => name);
      expect(names.length, address).toBeGreaterThan(3);
      expect(new Set(names).size, address).toBe(names.length);
    }
  });

  it("begins with the first model, whatever is asked for", async () => {
    const { body } = await page("/deposit");
    const withoutNote = (text: string) => text.replace(/<p class="warning">[^<]*<\/p>/, "");
    expect(withoutNote((await page("/deposit?model=nothing")).body)).toBe(body);
    expect(body).toContain('download="bli-example.json"');
    expect(body).not.toContain("sign in");
  });
});

it("shows every operation of the interface, with its parameters and schemas", async () => {
  const { body } = await page("/api/docs");
  const { paths, components } = (await server.app.inject("/api/openapi.json")).json();
  for (const operations of Object.values(paths) as Record<string, { operationId: string }>[]) {
    for (const { operationId } of Object.values(operations)) expect(body).toContain(`id="${operationId}"`);
  }
  for (const name of Object.keys(components.schemas)) expect(body).toContain(`id="schema-${name}"`);
});

it("keeps crawlers to records, terms and models", async () => {
  const { body, headers } = await page("/robots.txt", { accept: "text/html" });
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body.split("\n")).toEqual(expect.arrayContaining(["Disallow: /*?", "Disallow: /api/", "Disallow: /compare"]));
  expect(body).not.toContain("/search");
  const tree = "/vocabularies/organisms?view=tree";
  for (const closed of ["/search?q=lysozyme", `${tree}&at=taxid:561`]) {
    expect((await page(closed)).body).toContain('<meta name="robots" content="noindex"');
  }
  for (const open of [`/records/${record}`, tree]) expect((await page(open)).body).not.toContain('name="robots"');
  expect(body).toContain("\nAllow: /vocabularies/*?view=tree$\n");
});
