import { beforeAll, expect, it } from "vitest";
import { describedAlike, publishedExamples } from "../../../test/support/described.js";
import type { Citable } from "../../core/citable/citable.js";
import { RECORD_FORMATS } from "./formats.js";
import { linkHeader, linkset, linksetText, signposts } from "./signposting.js";

const SITE = { url: "https://data.example.org" };
let record: Citable;
beforeAll(async () => {
  const bodies = await publishedExamples();
  record = describedAlike(bodies.find(({ model }) => model === "mst")!);
});

it("names the persistent address first, then what it is, then all formats", () => {
  const links = signposts(record, SITE, RECORD_FORMATS);
  const describedBy = RECORD_FORMATS.filter(({ name }) => !name.startsWith("results"));
  expect(links.slice(0, 5)).toEqual([
    { rel: "cite-as", href: `${SITE.url}/records/${record.id}` },
    { rel: "type", href: "https://schema.org/AboutPage" },
    { rel: "type", href: "https://schema.org/Dataset" },
    { rel: "linkset", href: `${SITE.url}/api/records/mst/${record.id}`, type: "application/linkset+json" },
    { rel: "linkset", href: `${SITE.url}/api/records/mst/${record.id}`, type: "application/linkset" },
  ]);
  expect(links).toContainEqual({ rel: "author", href: "https://orcid.org/0000-0002-1825-0097" });
  expect(links).toContainEqual({ rel: "license", href: "https://creativecommons.org/publicdomain/zero/1.0/" });
  expect(links.filter(({ rel }) => rel === "describedby")).toHaveLength(describedBy.length);
  expect(links.every(({ href }) => URL.canParse(href))).toBe(true);
});

it("writes a header that is no longer than it may be", () => {
  const links = signposts(record, SITE, RECORD_FORMATS);
  const whole = linkHeader(links, 8192);
  expect(whole.split(", <")).toHaveLength(links.length);
  expect(whole).toMatch(/^<https:\/\/data\.example\.org\/records\/abcde-mst01>; rel="cite-as", </);
  const short = linkHeader(links, 300);
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(300);
  expect(whole.startsWith(short)).toBe(true);
  expect(linkHeader([{ rel: "item", href: 'https://x.org/a"b>c' }], 100)).toBe('<https://x.org/a%22b%3Ec>; rel="item"');
});

it("names media types without parameters, as RFC 8288 has them", () => {
  const types = signposts(record, SITE, RECORD_FORMATS).flatMap(({ type }) => type ?? []);
  expect(types).toContain("text/x-bibliography");
  // type-name "/" subtype-name (RFC 6838, 4.2): what the reference client of Signposting takes.
  for (const type of types) expect(type).toMatch(/^[a-z0-9][a-z0-9!#$&^_-]*\/[a-z0-9][a-z0-9!#$&^_+.-]*$/);
});

it("says as text what it says as JSON", () => {
  const { linkset: contexts } = linkset(record, SITE, RECORD_FORMATS) as {
    linkset: Record<string, { href: string; type?: string }[]>[];
  };
  const asJson = contexts.flatMap(({ anchor, ...relations }) =>
    Object.entries(relations).flatMap(([rel, targets]) => targets.map(({ href, type }) => [href, rel, type, anchor])),
  );
  const text = linksetText(record, SITE, RECORD_FORMATS);
  const LINK = /^<([^<>\s]*)>; rel="([^"]*)"(?:; type="([^"]*)")?(?:; profile="[^"]*")?; anchor="([^"]*)",?$/;
  const asText = text
    .trimEnd()
    .split("\n")
    .map((line) => LINK.exec(line)?.slice(1));
  const key = (link: readonly unknown[] | undefined) => JSON.stringify(link);
  expect(asText.map(key).sort()).toEqual(asJson.map(key).sort());
});

it("leads from every format back to the page", () => {
  const { linkset: contexts } = linkset(record, SITE, RECORD_FORMATS) as { linkset: Record<string, unknown>[] };
  const page = `${SITE.url}/records/${record.id}`;
  expect(contexts[0]).toMatchObject({ anchor: page, "cite-as": [{ href: page }], item: expect.any(Array) });
  expect(contexts[0]).not.toHaveProperty("linkset");
  expect(contexts).toContainEqual({
    anchor: `${page}/export/results`,
    collection: [{ href: page, type: "text/html" }],
  });
  expect(contexts).toContainEqual({ anchor: `${page}/export/bibtex`, describes: [{ href: page, type: "text/html" }] });
});
