import { describe, expect, it } from "vitest";
import type { Tombstone } from "../tombstone.js";
import { buriedBy, citationChanges, isLatest, putAction, takenIds, type WrittenBody } from "./record-change.js";

const body = (state: "draft" | "published", is_latest = true): WrittenBody =>
  ({ id: "a", parent: { id: "p" }, state, revision_id: 3, versions: { index: 1, is_latest } }) as WrittenBody;

it("is the latest only if it is published", () => {
  expect([isLatest(body("published")), isLatest(body("published", false)), isLatest(body("draft"))]).toEqual([
    true,
    false,
    false,
  ]);
});

it("tells the feed what a body that is put was", () => {
  expect(putAction(body("draft"), false)).toBe("created");
  expect(putAction(body("published"), false)).toBe("published");
  expect(putAction(body("published"), true)).toBe("updated");
});

it("takes the id with its revision, and the parent's without one", () => {
  expect(takenIds(body("draft"))).toEqual([
    ["a", 3],
    ["p", 0],
  ]);
});

it("buries the draft first, and the record with the last revision of the id", () => {
  expect(buriedBy({ revision: 9 } as Tombstone)).toEqual([{ state: "draft" }, { state: "published", revision: 9 }]);
});

describe("citationChanges", () => {
  const water = { vocabulary: "chemicals", id: "962" };
  const uses = [["chemicals", "962"]] as const;

  it("takes away what a row had, and adds what it has", () => {
    expect(citationChanges({ isLatest: true, uses }, { isLatest: false, uses })).toEqual([
      { ...water, latest: -1, others: 0 },
      { ...water, latest: 0, others: 1 },
    ]);
  });

  it("counts rows that are new or removed once", () => {
    expect(citationChanges(undefined, { isLatest: true, uses })).toEqual([{ ...water, latest: 1, others: 0 }]);
    expect(citationChanges({ isLatest: false, uses })).toEqual([{ ...water, latest: 0, others: -1 }]);
  });
});
