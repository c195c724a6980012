import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tinyModel } from "../../../test/support/tiny-catalog.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { readBody } from "./read-body.js";

const model = tinyModel();
const read = (text: string) => readBody(text, model);

function refusal(text: string): BinderyError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof BinderyError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

describe("what is read", () => {
  it("keeps metadata as it was typed: order, wrong types and any key", () => {
    const metadata = '{"z":1,"a":[null,true,{"b":-1.5e3}],"__proto__":{"x":{}},"constructor":"","\u{1f600}":"\\u00e9"}';
    const sent = read(`{"metadata":${metadata}}`);
    expect(JSON.stringify(sent.metadata)).toBe(JSON.stringify(JSON.parse(metadata)));
    expect(sent.warnings.entries).toEqual([]);
    expect(Object.getPrototypeOf(sent.metadata)).toBe(Object.prototype);
  });

  it("loses no JSON at all", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (metadata) => {
        const text = JSON.stringify({ metadata });
        expect(JSON.stringify({ metadata: read(text).metadata })).toBe(text);
      }),
    );
  });

  it("does not repeat a long value of an unknown key", () => {
    const [warning] = read(JSON.stringify({ metadata: {}, padding: "x".repeat(20_000) })).warnings.entries;
    expect(warning).toMatchObject({ code: "UNKNOWN_KEY", field: "padding" });
    expect(warning).not.toHaveProperty("value");
  });

  it("ignores what the service sets itself and warns of other keys with their values", () => {
    const owned = { $schema: "", id: 1, created: 1, updated: 1, links: {}, revision_id: 0, state: "x", is_draft: 0 };
    const more = { is_published: 1, parent: 1, versions: 1, files: { enabled: true }, errors: [], warnings: [] };
    const body = { ...owned, ...more, expanded: {}, model: "tiny", metadata: {}, metdata: { a: 1 } };
    expect(read(JSON.stringify(body)).warnings.entries).toEqual([
      {
        code: "UNKNOWN_KEY",
        message: '"metdata" was ignored; only "metadata" is read.',
        field: "metdata",
        value: { a: 1 },
        nearest: ["metadata"],
      },
    ]);
  });

  it("takes missing metadata and such that is no object as a problem of the draft", () => {
    expect(read("{}")).toMatchObject({ metadata: {}, missing: { code: "REQUIRED", field: "metadata" } });
    for (const value of [null, [], "text", 3]) {
      const sent = read(JSON.stringify({ metadata: value }));
      expect(sent).toMatchObject({ metadata: {}, missing: { code: "WRONG_TYPE", pointer: "/metadata", value } });
    }
  });
});

describe("what is refused", () => {
  it("is text that is empty or no JSON, with the place", () => {
    expect(refusal("").code).toBe("BODY_MISSING");
    expect(refusal(" \n").code).toBe("BODY_MISSING");
    for (const text of ["{", '{"metadata": nope}', "{'a': 1}", '{"metadata":{}}{}', "[1,]", '"\\x"']) {
      expect(refusal(text).code, text).toBe("BODY_NOT_JSON");
    }
    expect(refusal('{"metadata":{}}\n  {}').message).toMatch(/line 2, column 3/);
  });

  it("is a body that is no object, or of another model", () => {
    for (const text of ["[]", "3", "null", '"x"']) expect(refusal(text).code, text).toBe("BODY_INVALID");
    expect(refusal('{"model":"itc","metadata":{}}').params).toEqual({ sent: "itc", path: "tiny" });
    expect(refusal('{"model":null}').code).toBe("MODEL_MISMATCH");
  });

  it("is NUL or half of a surrogate pair, in a text or a key, by place", () => {
    const text = '{"metadata":{"a":["ok","\\u0000"],"b":{"\\ud800":1},"c":"\\udc00x","d":"\\ud83d\\ude00"}}';
    const error = refusal(text);
    expect(error.code).toBe("BODY_INVALID");
    expect(error.issues.map(({ field }) => field)).toEqual(["metadata.a.1", "metadata.b.\ufffd", "metadata.c"]);
    expect(error.issues[0]!.pointer).toBe("/metadata/a/1");
  });

  it("is a number that JSON cannot say again", () => {
    expect(refusal('{"metadata":{"a":1e999}}').issues).toMatchObject([{ field: "metadata.a", code: "TOO_LARGE" }]);
  });
});

describe("limits", () => {
  const nested = (levels: number, open: string, close: string): string =>
    `{"metadata":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;

  it("of depth stop at 64 levels, also a hundred thousand and such that never close", () => {
    const max = LIMITS.bodyDepthMax;
    expect(() => read(nested(max, '{"a":', "}"))).not.toThrow();
    for (const [open, close] of [
      ['{"a":', "}"],
      ["[", "]"],
    ]) {
      for (const levels of [max + 1, 100_000]) {
        const error = refusal(nested(levels, open!, close!));
        expect(error.params).toEqual({ limit: "levels", max });
      }
      expect(refusal(open!.repeat(100_000)).code).toBe("BODY_TOO_COMPLEX");
    }
  });

  it("of depth count no brackets in strings", () => {
    const text = JSON.stringify({ metadata: { a: `\\"${"[{".repeat(1000)}`, b: "\\" } });
    expect(JSON.stringify(read(text).metadata)).toContain("[{[{");
  });

  it("of leaves, items and bytes", () => {
    const items = (count: number): string => JSON.stringify({ metadata: { a: Array(count).fill(0) } });
    expect(() => read(items(LIMITS.bodyArrayItemsMax))).not.toThrow();
    expect(refusal(items(LIMITS.bodyArrayItemsMax + 1)).params).toMatchObject({ limit: "items in one array" });
    const leaves = (each: number): string => JSON.stringify({ metadata: { a: Array(each).fill({}), b: items(1) } });
    expect(() => read(leaves(LIMITS.bodyArrayItemsMax))).not.toThrow();
    const lists = Math.floor(LIMITS.bodyLeavesMax / LIMITS.bodyArrayItemsMax);
    const many = Array.from({ length: lists }, (_, n) => Array(LIMITS.bodyArrayItemsMax).fill(n % 2 === 0 ? 0 : {}));
    expect(() => read(JSON.stringify({ metadata: { many } }))).not.toThrow();
    expect(refusal(JSON.stringify({ metadata: { many, c: 1 } })).params).toMatchObject({ limit: "leaves" });
    const long = JSON.stringify({ metadata: { a: "\u00e9".repeat(LIMITS.bodyBytesMax / 2) } });
    expect(refusal(long).code).toBe("BODY_TOO_LARGE");
  });
});
