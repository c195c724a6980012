import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../../test/support/catalog.js";
import type { Facet } from "../types.js";
import { readFacetKey } from "./facet-kinds.js";

const TREE: Facet = { name: "organism", label: "Organism", path: "a.id", kind: "tree", vocabulary: "organisms" };
const YEAR: Facet = { name: "year", label: "Year", path: "created", kind: "year" };
const STATE: Facet = { name: "state", label: "State", path: "state", kind: "terms" };
const KD: Facet = {
  name: "kd",
  label: "KD",
  path: "r.@kd",
  kind: "histogram",
  scale: "log",
  edges: [1e-12, 1e-9, 1e-6],
  unit: "M",
};
const PH: Facet = { name: "ph", label: "pH", path: "ph", kind: "histogram", scale: "linear", edges: [6, 7, 8] };
const HEAT: Facet = { name: "t", label: "T", path: "t@temperature", kind: "histogram", scale: "linear", unit: "K" };
const SCANS: Facet = { name: "scans", label: "Scans", path: "s", kind: "histogram", scale: "linear", unit: "scans" };

const { units } = builtInCatalog().models.get("mst")!;
const read = (facet: Facet, text: string) => readFacetKey(facet, text, units);
const takes = (facet: Facet, text: string): string => {
  const found = read(facet, text);
  return "takes" in found ? found.takes : `the key ${found.key}`;
};

describe("a value of a facet's parameter", () => {
  it("may be any text of terms and trees", () => {
    for (const facet of [TREE, STATE]) expect(read(facet, "what ever")).toEqual({ key: "what ever" });
  });

  it.each(["2024", "2020..2024", "2024-05-17..", "..2020-02", "2024-05-17T10:00Z..2024-05-18"])(
    "is a year, or a range of dates: %s",
    (text) => expect(read(YEAR, text)).toEqual({ key: text }),
  );

  it.each([
    ["2024‑05‑17..", "2024-05-17.."],
    ["2020…2024", "2020..2024"],
  ])("is a range of dates as it is pasted: %s", (text, key) => expect(read(YEAR, text)).toEqual({ key }));

  it.each(["24", "2024-05", "..", "2024..2020", "2020..2020", "2024-02-30..", "2024..now", " 2020..2024"])(
    "is no range of dates: %j",
    (text) => expect(takes(YEAR, text)).toMatch(/^a year such as "2024", or a range of years or days such as/),
  );

  it.each([
    ["1e-12..1e-9", "1e-12..1e-9"],
    ["3e-10..2e-8", "3e-10..2e-8"],
    ["..1e-8", "..1e-8"],
    ["1e-8..", "1e-8.."],
    ["0.3nM..20nM", "3e-10..2e-8"],
    ["0.3 nM..0.02 µM", "3e-10..2e-8"],
    ["0.3..20 nM", "3e-10..2e-8"],
    ["300pM..", "3e-10.."],
    ["..10⁻⁸ M", "..1e-8"],
    ["0,3nM…20nM", "3e-10..2e-8"],
    ["1x10–9..1x10−8 M", "1e-9..1e-8"],
    ["0.000000001..0.000001", "1e-9..1e-6"],
    ["1pM..1nM", "1e-12..1e-9"],
    ["..1pM", "..1e-12"],
    ["0.1..0.5", "0.1..0.5"],
  ])("is a range of numbers in any unit of the dimension: %s is %s", (text, key) =>
    expect(read(KD, text)).toEqual({ key }),
  );

  it("converts units that do not begin at zero", () => {
    expect(read(HEAT, "20°C..37°C")).toEqual({ key: "293.15..310.15" });
    for (const text of ["-10..5 °C", "–10..5 ºC", "−10..5 oC", "－10…5˚C"]) {
      expect(read(HEAT, text)).toEqual({ key: "263.15..278.15" });
    }
  });

  it.each(["1nM", "..", "", "2e-8..3e-10", "1nM..1nM", "1kDa..2kDa", "1nM..2furlongs", "a..b", "NaN..1", "1e999.."])(
    "says what it takes in place of %j",
    (text) => {
      expect(takes(KD, text)).toBe(
        'a range such as "1e-12..1e-9", "1e-12.." or "..1e-9" in M (the upper end is left out), ' +
          'or with units: "1pM..1nM"',
      );
    },
  );

  it("takes no units where its numbers have none, or none that converts", () => {
    expect(read(PH, "6.5..7.25")).toEqual({ key: "6.5..7.25" });
    expect(takes(PH, "6nM..7nM")).toBe('a range such as "6..7", "6.." or "..7" (the upper end is left out)');
    expect(takes(SCANS, "1nM..7nM")).toBe(
      'a range such as "1..10", "1.." or "..10" in scans (the upper end is left out)',
    );
  });
});
