import { describe, expect, it } from "vitest";
import type { Tombstone } from "../record.js";
import {
  citationChanges,
  computeFlags,
  isLatest,
  putAction,
  statesDeletedBy,
  takenIds,
  type VersionState,
  type WrittenBody,
} from "./record-change.js";

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
  expect(statesDeletedBy({ revision: 9 } as Tombstone)).toEqual([
    { state: "draft" },
    { state: "published", revision: 9 },
  ]);
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

const row = (id: string, state: "draft" | "published", version: number): VersionState => ({ id, state, version });

it("makes the newest published version the latest, and what nothing is newer than the latest draft", () => {
  const rows = [row("a", "published", 1), row("b", "published", 2), row("c", "draft", 3)];
  const flags = rows.map((one) => computeFlags(one, rows));
  expect(flags.map(({ is_latest }) => is_latest)).toEqual([false, true, false]);
  expect(flags.map(({ is_latest_draft }) => is_latest_draft)).toEqual([false, false, true]);
  expect(flags.map(({ is_published }) => is_published)).toEqual([true, true, false]);
});

it("has the open draft of a published version say of the versions what that says", () => {
  const rows = [row("a", "draft", 1), row("a", "published", 1)];
  const shared = { is_published: true, is_latest: true, is_latest_draft: true };
  expect(computeFlags(rows[0]!, rows)).toEqual({ ...shared, is_draft: true });
  expect(computeFlags(rows[1]!, rows)).toEqual({ ...shared, is_draft: false });
});
