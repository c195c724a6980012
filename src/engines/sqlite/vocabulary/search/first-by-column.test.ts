import { describe, expect, it } from "vitest";
import { seeded } from "../../../../../test/support/random.js";
import { makeSortedSet } from "../../bitmaps/doc-id-set.js";
import { firstByColumn } from "./first-by-column.js";

const ROWS = 60_000;

/** An order of so many rows, some of which went away. */
function shuffled(): { readonly places: Uint32Array; readonly rowAt: Uint32Array } {
  const random = seeded(7);
  const rowAt = Uint32Array.from({ length: ROWS }, (_, i) => i + 1);
  for (let i = ROWS - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [rowAt[i], rowAt[j]] = [rowAt[j]!, rowAt[i]!];
  }
  const places = new Uint32Array(ROWS);
  for (const [place, row] of rowAt.entries()) places[row - 1] = place;
  return { places, rowAt };
}

const { places, rowAt } = shuffled();

/** Returns the rows of a slice, and how often the rows were walked; otherwise all places were compared. */
function first(having: (row: number) => boolean, slice: Parameters<typeof firstByColumn>[2]) {
  let walks = 0;
  const rows = (): Uint32Array => {
    walks += 1;
    return rowAt;
  };
  const set = makeSortedSet(Uint32Array.from({ length: ROWS }, (_, i) => i + 1).filter(having));
  return { found: [...firstByColumn(set, { places, rows }, slice)], walks };
}

function expected(
  having: (row: number) => boolean,
  { limit, isDescending, from }: Parameters<typeof firstByColumn>[2],
) {
  const inOrder = [...rowAt.keys()].map((place) => (isDescending ? ROWS - 1 - place : place));
  const behind = inOrder.filter((place) => from === undefined || (isDescending ? place <= from : place >= from));
  return behind
    .map((place) => rowAt[place]!)
    .filter(having)
    .slice(0, limit);
}

describe("the first rows of a set in a saved order", () => {
  const many = (row: number): boolean => row % 3 === 0;
  const few = (row: number): boolean => row % 97 === 0;
  // Many rows, and yet none of them where the walk begins.
  const late = (row: number): boolean => places[row - 1]! > 0.9 * ROWS;

  it.each([
    ["many rows", many, 11, 1],
    ["many rows, a page far behind", many, 5_000, 1],
    ["few rows", few, 11, 0],
    ["many rows of which most are wanted", many, 18_000, 1],
    ["some rows of which most are wanted", (row: number) => row % 13 === 0, 4_000, 0],
    ["many rows that all come late", late, 11, 1],
  ] as const)("of %s", (_, having, limit, walks) => {
    for (const isDescending of [false, true]) {
      for (const from of [undefined, 0, 25_000, ROWS - 1]) {
        const slice = { limit, isDescending, ...(from === undefined ? {} : { from }) };
        const got = first(having, slice);
        expect(got.found).toEqual(expected(having, slice));
        expect(got.walks).toBe(walks);
      }
    }
  });

  it("is none where no place counts", () => {
    expect(first(many, { limit: 3, isDescending: false, isEmpty: true })).toEqual({ found: [], walks: 0 });
  });
});
