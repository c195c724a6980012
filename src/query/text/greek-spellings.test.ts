import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "./analyse.js";
import { greekSpellings, mayAttach } from "./greek-spellings.js";

const spellings = (text: string): readonly string[] => greekSpellings(analyse(text)).map((row) => row.join(" "));

describe("spellings of Greek letters", () => {
  it.each([
    ["β2-adrenergic", "beta2-adrenergic"],
    ["β2-adrenergic", "beta-2-adrenergic"],
    ["NF-κB", "NF-kappaB"],
    ["NF-κB", "nf-kappab"],
    ["NF-κB", "NFkappaB"],
    ["NF-κB", "NF-kappa-B"],
    ["TNFα", "TNFalpha"],
    ["TNF-α", "TNFalpha"],
    ["TGF-β1", "TGFbeta1"],
    ["TGF-β1", "TGF-beta-1"],
    ["ΔG", "deltaG"],
    ["ΔCp", "deltaCp"],
    ["∆G", "deltaG"],
    ["ΔΔG", "deltadeltaG"],
    ["ΔΔG", "delta-delta-G"],
    ["αβ-tubulin", "alphabeta tubulin"],
    ["γδ-T", "gamma-delta-T"],
    ["α-synuclein", "alphasynuclein"],
    ["β-lactamase", "betalactamase"],
    ["PI3Kα", "PI3Kalpha"],
    ["HIF-1α", "HIF1alpha".replace("HIF1", "HIF-1")],
    ["χ2", "chi2"],
    ["ω-3", "omega3"],
    ["λ-phage", "lambda phage"],
    ["IFN-γ", "IFNgamma"],
    ["5α-reductase", "5alpha-reductase"],
    ["μ-opioid", "mu-opioid"],
    ["σ1", "sigma1"],
  ])("%s and %s meet", (letter, name) => {
    expect(spellings(name)).toContain(analyse(letter).join(" "));
    expect(spellings(letter)).toContain(analyse(name).join(" "));
  });

  it.each([
    ["lysozyme binding", []],
    ["synthetase", []],
    ["microbiota number chip specific pineapple oxidase", []],
    ["beta", []],
    ["protein p53", []],
  ])("%s has no other", (text, others) => {
    expect(spellings(text).slice(1)).toEqual(others);
  });

  it("are the same from each of them, and few", () => {
    const piece = fc.constantFrom("alpha", "beta", "delta", "kappa", "tnf", "1", "g", "b", "chi", "x7");
    const glue = fc.constantFrom("", " ");
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, glue), { minLength: 1, maxLength: 3 }), (pieces) => {
        const words = analyse(pieces.flat().join(""));
        const rows = greekSpellings(words);
        expect(rows[0]).toEqual(words);
        expect(rows.length).toBeLessThanOrEqual(17);
        for (const row of rows) expect(analyse(row.join(" "))).toEqual(row);
      }),
    );
  });
});

it.each([
  ["delta", "g", true],
  ["tnf", "alpha", true],
  ["chi", "2", true],
  ["beta", "adrenergic", false],
  ["serum", "albumin", false],
])("%s %s may be one word: %s", (word, next, expected) => {
  expect(mayAttach(word, next)).toBe(expected);
});
