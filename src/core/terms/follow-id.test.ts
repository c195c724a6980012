import { describe, expect, it } from "vitest";
import type { TermContent } from "../term.js";
import { followCited, followId, type IdLookup } from "./follow-id.js";

interface Row {
  readonly id: string;
  readonly successor: string | null;
}

function lookup(
  items: Readonly<Record<string, string | null>>,
  { gone = {}, aliases = {} }: { gone?: Record<string, string | null>; aliases?: Record<string, string> } = {},
): IdLookup<Row> {
  const rows = Object.entries(items).map(([id, successor]) => ({ id, successor }));
  return {
    exact: (id) => rows.find((row) => row.id === id),
    successorOfGone: (id) => gone[id],
    alias: (id) => aliases[id],
    variant: (id) => rows.find((row) => row.id.toLowerCase() === id.toLowerCase()),
  };
}

describe("followId", () => {
  it("follows successors to the last item that is there", () => {
    const items = lookup({ a: "b", b: "c", c: "lost" });
    expect(followId("a", items)).toEqual({ kind: "found", row: { id: "c", successor: "lost" }, moved: true });
    expect(followId("c", items)).toMatchObject({ moved: false });
  });

  it("follows ids that are gone, and says so where they lead nowhere", () => {
    const items = lookup({ b: null }, { gone: { a: "b", old: null, older: "old" } });
    expect(followId("a", items)).toMatchObject({ row: { id: "b" }, moved: true });
    expect([followId("old", items), followId("older", items)]).toEqual([{ kind: "gone" }, { kind: "gone" }]);
  });

  it("prefers the exact id to an alias, and an alias to other capitals", () => {
    const items = lookup({ a: null, A2: null }, { aliases: { a: "A2", a2: "a" } });
    expect(followId("a", items)).toMatchObject({ row: { id: "a" }, moved: false });
    expect(followId("a2", items)).toMatchObject({ row: { id: "a" }, moved: true });
    expect(followId("A", items)).toMatchObject({ row: { id: "a" }, moved: false });
    expect(followId("unknown", items)).toBeUndefined();
  });

  it("has each item of a circle stand for itself", () => {
    const items = lookup({ a: "b", b: "a" }, { gone: { x: "y", y: "x" } });
    expect(followId("a", items)).toMatchObject({ row: { id: "a" }, moved: false });
    expect(followId("x", items)).toEqual({ kind: "gone" });
  });
});

describe("followCited", () => {
  const content = (id: string): TermContent => ({
    id,
    title: { en: `title of ${id}` },
    props: {},
    status: "active",
    synonyms: [{ name: `${id}-name`, kind: "synonym" }],
  });

  it("takes the names of each step, and the id of the last one that is there", () => {
    const steps = new Map([
      ["a", { content: content("a"), version: "a::1", successor: "b" }],
      ["b", { content: content("b"), version: "b::4", successor: "c" }],
    ]);
    expect(followCited("a", (id) => steps.get(id) ?? { successor: null })).toEqual({
      id: "b",
      successors: ["b", "c"],
      version: "b::4",
      titles: [{ en: "title of a" }, { en: "title of b" }],
      names: ["a-name", "b-name"],
    });
  });

  it("stays where it is in a circle, and knows nothing of what there never was", () => {
    const circle = (id: string) => ({ content: content(id), version: `${id}::1`, successor: id === "a" ? "b" : "a" });
    expect(followCited("a", circle)).toMatchObject({ id: "a", version: "a::1" });
    expect(followCited("a", () => ({ successor: null }))).toBeUndefined();
  });
});
