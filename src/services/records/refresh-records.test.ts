import { expect, it } from "vitest";
import type { AsCited } from "../../core/record.js";
import { keepOriginalTerms } from "./refresh-records.js";

const at = (field: string, version: string): AsCited => ({
  field,
  vocabulary: "organisms",
  term: { "@v": version, id: "taxid:562" },
});

it("keeps of each place what stood there first, and nothing of what stays the same", () => {
  const first = keepOriginalTerms([], [at("a", "x::1"), at("b", "y::4")], [at("a", "x::2"), at("b", "y::4")]);
  expect(first).toEqual([at("a", "x::1")]);
  const second = keepOriginalTerms(first, [at("a", "x::2"), at("b", "y::4")], [at("a", "x::3"), at("b", "y::5")]);
  expect(second).toEqual([at("a", "x::1"), at("b", "y::4")]);
});
