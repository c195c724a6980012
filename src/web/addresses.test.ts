import { afterAll, beforeAll, expect, it } from "vitest";
import { startDemo } from "../../test/support/demo-server.js";
import type { InProcessServer } from "../../test/support/in-process-server.js";

let server: InProcessServer;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startDemo();
  const [hit] = (await server.app.inject("/api/records/spr?q=HyHEL-10")).json().hits.hits;
  ids[":record"] = hit.id;
  ids[":parent"] = hit.parent.id;
}, 120_000);
afterAll(() => server.close());

const HTML = "text/html";
const JSON_ONLY = "application/json";
/** As clients send it; undefined: they send none. */
const ACCEPTS = [HTML, JSON_ONLY, "*/*", undefined];

/** What pages answer with: HTML to who takes it, the address of the data to who wants JSON. */
const PAGE_WITH_DATA = ["200 html", "303", "200 html", "200 html"];
/** The same of pages that are no data. */
const PAGE = ["200 html", "406 json", "200 html", "200 html"];
const MOVED = ["301", "303", "301", "301"];
const FOUND = ["302", "303", "302", "302"];
/** Errors are pages for those who like HTML better, and data for all others. */
const NOT_FOUND = ["404 html", "404 json", "404 json", "404 json"];
/** Who wants JSON is led to the data before anybody looks whether they are there. */
const NO_DATA = ["404 html", "303", "404 json", "404 json"];
const DATA = ["406 json", "200 json", "200 json", "200 json"];
const TEXT = ["200 plain", "200 plain", "200 plain", "200 plain"];

/** Every kind of address, with what it answers to HTML, JSON, anything and nothing in `Accept`. */
const GOLDEN: readonly (readonly [address: string, answers: readonly string[]])[] = [
  ["/", PAGE],
  ["/search", PAGE_WITH_DATA],
  ["/search?q=lysozyme&view=table", PAGE_WITH_DATA],
  ["/search?build=1", PAGE_WITH_DATA],
  ["/records", MOVED],
  ["/records/mst", PAGE_WITH_DATA],
  ["/records/nosuchmodel", NO_DATA],
  ["/records/:record", PAGE_WITH_DATA],
  ["/records/spr/:record", PAGE_WITH_DATA],
  ["/records/:parent", FOUND],
  ["/records/:record/versions", PAGE_WITH_DATA],
  ["/records/:record/versions/latest", FOUND],
  ["/records/:record/latest", FOUND],
  ["/records/aaaaa-aaaaa", NOT_FOUND],
  ["/spr/:record", MOVED],
  ["/record/:record", MOVED],
  ["/compare", PAGE],
  ["/compare?ids=:record", PAGE],
  ["/vocabularies", PAGE_WITH_DATA],
  ["/vocabularies/organisms", PAGE_WITH_DATA],
  ["/vocabularies/organisms?view=tree&at=taxid:562", PAGE_WITH_DATA],
  ["/vocabularies/organisms/taxid:562", PAGE_WITH_DATA],
  ["/vocabularies/organisms/taxid:562/citations", PAGE_WITH_DATA],
  ["/vocabularies/organisms/taxid:1", PAGE_WITH_DATA],
  ["/vocabularies/nosuch", NO_DATA],
  ["/models", PAGE_WITH_DATA],
  ["/models/spr", PAGE_WITH_DATA],
  ["/help", PAGE],
  ["/help/depositing", PAGE],
  ["/help/search", PAGE],
  ["/deposit", PAGE],
  ["/help/nosuchpage", NOT_FOUND],
  ["/api/docs", PAGE],
  ["/api/search", DATA],
  ["/robots.txt", TEXT],
  ["/nothing/here", NOT_FOUND],
];

it.each(GOLDEN)("%s has one answer to each kind of client", async (template, answers) => {
  const url = template.replaceAll(/:(record|parent)/g, (name) => ids[name]!);
  const got: string[] = [];
  for (const accept of ACCEPTS) {
    const { statusCode, headers } = await server.app.inject({ url, headers: accept === undefined ? {} : { accept } });
    const type = /\/(\w+)/.exec(String(headers["content-type"] ?? ""))?.[1];
    got.push(type === undefined ? String(statusCode) : `${statusCode} ${type}`);
  }
  expect(got).toEqual(answers);
});
