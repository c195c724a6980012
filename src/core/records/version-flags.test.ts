import { expect, it } from "vitest";
import { flagsOf, type VersionState } from "./version-flags.js";

const row = (id: string, state: "draft" | "published", version: number): VersionState => ({ id, state, version });

it("makes the newest published version the latest, and what nothing is newer than the latest draft", () => {
  const rows = [row("a", "published", 1), row("b", "published", 2), row("c", "draft", 3)];
  const flags = rows.map((one) => flagsOf(one, rows));
  expect(flags.map(({ is_latest }) => is_latest)).toEqual([false, true, false]);
  expect(flags.map(({ is_latest_draft }) => is_latest_draft)).toEqual([false, false, true]);
  expect(flags.map(({ is_published }) => is_published)).toEqual([true, true, false]);
});

it("has the open draft of a published version say of the versions what that says", () => {
  const rows = [row("a", "draft", 1), row("a", "published", 1)];
  const shared = { is_published: true, is_latest: true, is_latest_draft: true };
  expect(flagsOf(rows[0]!, rows)).toEqual({ ...shared, is_draft: true });
  expect(flagsOf(rows[1]!, rows)).toEqual({ ...shared, is_draft: false });
});
