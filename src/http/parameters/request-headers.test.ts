import { describe, expect, it } from "vitest";
import {
  accepts,
  contentETag,
  formatETag,
  hasETag,
  hasRevision,
  IF_MATCH_PATTERN,
  parseIfMatch,
  preferredType,
} from "./request-headers.js";

const JSON_TYPES = ["application/json", "application/vnd.inveniordm.v1+json"];

describe("accepts", () => {
  it.each([
    undefined,
    "",
    "*/*",
    "*",
    "application/json",
    "APPLICATION/JSON",
    "application/*",
    "application/vnd.inveniordm.v1+json",
    "application/json; charset=utf-8",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json;q=0.1",
    "application/json;q=0, application/vnd.inveniordm.v1+json",
    "application/vnd.inveniordm.v1+json;q=0, */*",
    'application/json;a=";q=0,";q=1',
  ])("takes JSON for %s", (header) => {
    expect(accepts(header, JSON_TYPES)).toBe(true);
  });

  it.each([
    "text/html",
    "application/xml",
    "application/json;q=0, application/vnd.inveniordm.v1+json;q=0, */*",
    "application/json;q=0",
    "application/json; q=0.000, */*",
    "application/json;Q=0, application/*",
    "application/*;q=0, */*",
    "*/*;q=0",
    "text/html, */*;q=0.0",
    'text/html;a="x,application/json"',
    "x",
    ",",
  ])("takes no JSON for %s", (header) => {
    expect(accepts(header, JSON_TYPES)).toBe(false);
  });

  it("takes a page where a browser asks", () => {
    expect(accepts("text/html,application/xhtml+xml,*/*;q=0.8", ["text/html"])).toBe(true);
    expect(accepts("application/json", ["text/html"])).toBe(false);
  });
});

describe("preferredType", () => {
  const TYPES = [...JSON_TYPES, "application/x-ndjson"];

  it.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/x-ndjson", "application/x-ndjson"],
    ["application/x-ndjson, */*", "application/x-ndjson"],
    ["application/x-ndjson;q=0.5, application/json", "application/json"],
    ["application/json, application/x-ndjson", "application/json"],
    ["text/html", undefined],
    ["application/json;q=0, */*", "application/x-ndjson"],
    ["application/x-ndjson;q=0, */*", "application/json"],
    ["*/*;q=0", undefined],
  ])("chooses for %s", (header, type) => {
    expect(preferredType(header, TYPES)).toBe(type);
  });
});

describe("parseIfMatch", () => {
  it.each([
    ['"3"', 3],
    ["3", 3],
    [' W/"12" ', 12],
    ['"1-gzip"', 1],
    ['"1-br"', 1],
    ['"1;gzip"', 1],
    ['"1--gzip"', 1],
    ['"1"-gzip', 1],
    ['W/"1-gzip"', 1],
    ['"1-zstd", "2;br"', [1, 2]],
    ['"1", W/"2",3', [1, 2, 3]],
    ["*", undefined],
    [undefined, undefined],
  ])("reads %s as %s", (header, revision) => {
    expect(parseIfMatch(header)).toEqual(revision);
  });

  it.each(["", ",", '"1",', '"1",*', '"a"', '"1-"', '"1-gz-gzip"', "1-gzip", "-1", "1.5", '"1', "9".repeat(400)])(
    "refuses %s",
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: "PARAMETER_INVALID" }));
    },
  );

  it.each(['"3"', "3", 'W/"12"', '"1", W/"2",3', '"1-gzip"', '"1"-br, "2;gzip"', "*"])(
    "takes %s, as OpenAPI shows",
    (header) => {
      expect(header).toMatch(new RegExp(IF_MATCH_PATTERN));
    },
  );

  it.each(["", ",", '"1",', '"1",*', '"a"', "-1", "9".repeat(400)])("refuses %s, as OpenAPI shows", (header) => {
    expect(header).not.toMatch(new RegExp(IF_MATCH_PATTERN));
  });

  it("reads what formatETag writes", () => {
    expect(parseIfMatch(formatETag(7))).toBe(7);
  });
});

describe("hasRevision", () => {
  it.each(['"3"', '"1", W/"3"', '"3-gzip"', 'W/"3;br"', "*", "3"])("is true for %s at revision 3", (header) => {
    expect(hasRevision(header, 3)).toBe(true);
  });

  it.each([undefined, '"33"', '"33-gzip"', '"2","4"', ""])("is false for %s at revision 3", (header) => {
    expect(hasRevision(header, 3)).toBe(false);
  });
});

describe("the tag of a content", () => {
  const tag = contentETag("some text");

  it("is the same for the same text only, and strong", () => {
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(contentETag("some text")).toBe(tag);
    expect(contentETag("some texts")).not.toBe(tag);
  });

  it.each([tag, `W/${tag}`, `"a", ${tag}`, tag.replace(/"$/, '-gzip"'), `W/${tag.replace(/"$/, ';br"')}`, "*"])(
    "is found in %s",
    (header) => {
      expect(hasETag(header, tag)).toBe(true);
    },
  );

  it.each([undefined, "", tag.slice(1, -1), '"a"', `${tag.slice(0, -2)}"`])("is not found in %s", (header) => {
    expect(hasETag(header, tag)).toBe(false);
  });
});
