import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { makeCaches } from "../../core/caches.js";
import { type Drawing, drawSmiles } from "../../formats/structure-svg.js";
import { makeDrawings } from "./read-terms.js";

const CACHE_BYTES = 4 * 2 ** 20;

/** Cached drawings, and what was drawn for them. */
function counted(retryMs?: number) {
  const drawn: string[] = [];
  const draw = (smiles: string): Promise<Drawing> => {
    drawn.push(smiles);
    return drawSmiles(smiles);
  };
  const drawings = makeDrawings({ draw, caches: makeCaches(() => CACHE_BYTES) }, retryMs);
  return { drawings, drawn };
}

it("draws a structure once for concurrent and for later requests", async () => {
  const { drawings, drawn } = counted();
  const pictures = await Promise.all(["CCO", "CCN", "CCO", "CCO"].map((smiles) => drawings(smiles)));
  expect(new Set(pictures.map((each) => ("svg" in each ? each.svg : each.reason))).size).toBe(2);
  expect(await drawings("CCO")).toEqual(pictures[0]);
  expect(drawn).toEqual(["CCO", "CCN"]);
});

it("remembers for a time what could not be drawn", async () => {
  const retryMs = 500;
  const { drawings, drawn } = counted(retryMs);
  const unreadable: Drawing = { reason: "its SMILES cannot be read" };
  for (let i = 0; i < 3; i++) expect(await drawings("C1CC(")).toEqual(unreadable);
  expect(drawn).toHaveLength(1);
  await sleep(retryMs + 50);
  expect(await drawings("C1CC(")).toEqual(unreadable);
  expect(drawn).toHaveLength(2);
});

it("does not remember an error of the thread that draws", async () => {
  let isThere = false;
  const draw = async (smiles: string): Promise<Drawing> => {
    if (!isThere) throw new Error("no thread");
    return await drawSmiles(smiles);
  };
  const drawings = makeDrawings({ draw, caches: makeCaches(() => CACHE_BYTES) });
  await expect(drawings("C")).rejects.toThrow("no thread");
  isThere = true;
  expect(await drawings("C")).toHaveProperty("svg");
});

it("forgets the oldest drawings if there are many, but answers all that are in progress", async () => {
  const { drawings, drawn } = counted();
  const large = "x".repeat(300_000);
  const texts = Array.from({ length: 10 }, (_, i) => `C1${i}${large}`);
  const answers = await Promise.all(texts.map((text) => drawings(text)));
  for (const answer of answers) expect(answer).toEqual({ reason: "its SMILES cannot be read" });
  for (const text of texts) await drawings(text);
  const before = drawn.length;
  await drawings(texts[9]!);
  expect(drawn).toHaveLength(before);
  await drawings(texts[0]!);
  expect(drawn).toHaveLength(before + 1);
});
