import { describe, expect, it } from "vitest";
import { accepts, preferredType } from "./accept.js";

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
