import { describe, expect, it } from "vitest";
import { tinyModel } from "../../../test/support/tiny-catalog.js";
import type { JsonObject } from "../../core/json.js";
import { identityOf } from "./read-import.js";

const keyed = tinyModel("tiny", { importKey: "metadata.from.number" });
const of = (metadata: JsonObject, beside: JsonObject = {}, model = keyed) =>
  identityOf(model, { metadata, ...beside }, metadata);

describe("a document of an import", () => {
  it("is known by the key that its model declares, whatever else it says", () => {
    const [one, other] = [of({ from: { number: " K-1 " }, a: 1 }), of({ from: { number: "K-1" }, a: 2 })];
    expect(one).toMatchObject({ key: "key:K-1" });
    expect(other).toMatchObject({ key: "key:K-1" });
    expect((one as { digest: string }).digest).not.toBe((other as { digest: string }).digest);
  });

  it("is known by its id before its key", () => {
    const beside = { id: "ZV0GV-BTP27", parent: { id: "fy6g2-hh950" }, versions: { index: 2 } };
    expect(of({ from: { number: "K-1" } }, beside)).toMatchObject({
      key: "id:zv0gv-btp27",
      id: "zv0gv-btp27",
      parent: "fy6g2-hh950",
      version: 2,
    });
  });

  it.each([{}, { from: "K-1" }, { from: { number: 7 } }, { from: { number: " " } }, { from: [{ number: "K-1" }] }])(
    "is known by what it says where it has no key: %j",
    (metadata) => {
      expect(of(metadata)).toMatchObject({ key: expect.stringMatching(/^digest:[0-9a-f]{64}$/) });
    },
  );

  it("says the same in any order of members, and not in another order of a list", () => {
    const keyOf = (metadata: JsonObject) => (of(metadata, {}, tinyModel()) as { key: string }).key;
    expect(keyOf({ a: [1, { b: 2, c: 3 }], d: "x" })).toBe(keyOf({ d: "x", a: [1, { c: 3, b: 2 }] }));
    expect(keyOf({ a: [1, 2] })).not.toBe(keyOf({ a: [2, 1] }));
  });

  it("has no id where the metadata stand alone, and a field of them is called so", () => {
    expect(identityOf(tinyModel(), { id: "a-1" }, { id: "a-1" })).toMatchObject({
      key: expect.stringMatching(/^digest:/),
    });
  });
});
