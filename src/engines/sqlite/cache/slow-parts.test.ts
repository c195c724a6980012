import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Db, openDatabase } from "../connection/database.js";
import { atOnce, makeSlowParts, type Slowly, type Steps } from "./slow-parts.js";

let folder: string;
let db: Db;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-slow-parts-"));
  createDatabase(folder);
  openDatabase(folder, "writer").close();
  db = openDatabase(folder, "reader");
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const name = (): string => "the query";

/** Work that takes longer than a slice. */
const work = (): void => {
  for (const end = performance.now() + 6; performance.now() < end; );
};

/** Counts how often it is made, in three steps. */
function countedPart(said: string[] = []): { make: () => Steps<string>; made: () => number } {
  let times = 0;
  return {
    *make() {
      times += 1;
      for (const step of ["one", "two", "three"]) {
        work();
        said.push(step);
        yield;
      }
      return "made";
    },
    made: () => times,
  };
}

describe("what takes long to make", () => {
  it("is made once for all searches that need it, while others are answered", async () => {
    const slowParts = makeSlowParts(db);
    const said: string[] = [];
    const { make, made } = countedPart(said);
    const search = (slowly: Slowly): string => slowly("part", make);
    const both = Promise.all([slowParts.run(search, name), slowParts.run(search, name)]);
    const tick = (): void => {
      said.push("another");
      if (said.length < 20) setImmediate(tick);
    };
    setImmediate(tick);
    expect(await both).toEqual(["made", "made"]);
    expect(made()).toBe(1);
    for (const step of ["one", "two", "three"]) expect(said[said.indexOf(step) - 1]).toBe("another");
  });

  it("is made again for the next search, unless that keeps it", async () => {
    const slowParts = makeSlowParts(db);
    const { make, made } = countedPart();
    const search = (slowly: Slowly): string => slowly("part", make);
    for (const times of [1, 2]) {
      await slowParts.run(search, name);
      expect(made()).toBe(times);
    }
  });

  it("is looked for again where what it was made of is gone meanwhile", async () => {
    const slowParts = makeSlowParts(db);
    let generation = 1;
    const search = (slowly: Slowly): string => {
      const mine = generation;
      return slowly(`of ${mine}`, function* () {
        yield;
        if (mine === 1) generation = 2;
        return mine === generation ? `of generation ${mine}` : undefined;
      });
    };
    expect(await slowParts.run(search, name)).toBe("of generation 2");
  });

  it("fails for those who wait, and not for those who come later", async () => {
    const slowParts = makeSlowParts(db);
    let fails = true;
    const search = (slowly: Slowly): string =>
      slowly("part", function* () {
        yield;
        if (fails) throw new Error("It cannot be read.");
        return "made";
      });
    await expect(slowParts.run(search, name)).rejects.toThrow("It cannot be read.");
    fails = false;
    expect(await slowParts.run(search, name)).toBe("made");
  });

  it("is the same when it is made at once", () => {
    expect(atOnce("part", countedPart().make)).toBe("made");
  });
});
