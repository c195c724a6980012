import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { Json } from "../../core/json.js";
import { formulaText, kindText, propText, richSymbol, shortKind, symbolsOf, termName } from "./names.js";
import { rangeText, tickText } from "./ranges.js";
import type { RichText } from "./rich-text.js";

const model = builtInCatalog().models.get("spr")!;
const { units } = model;

/** The text as HTML. */
const html = (text: RichText): string =>
  text.map((span) => (typeof span === "string" ? span : `<${span.style}>${span.text}</${span.style}>`)).join("");

it.each([
  ["K_D", "<i>K</i><sub>D</sub>"],
  ["k_on", "<i>k</i><sub>on</sub>"],
  ["ΔH", "Δ<i>H</i>"],
  ["−TΔS", "−<i>T</i>Δ<i>S</i>"],
  ["EC_50", "EC<sub>50</sub>"],
  ["n", "<i>n</i>"],
])("writes the declared symbol %s as %s", (declared, written) => expect(html(richSymbol(declared))).toBe(written));

it.each([
  ["C7H8N4O2", "C<sub>7</sub>H<sub>8</sub>N<sub>4</sub>O<sub>2</sub>"],
  ["CaCl2", "CaCl<sub>2</sub>"],
  ["Ca+2", "Ca<sup>2+</sup>"],
  ["H4N+", "H<sub>4</sub>N<sup>+</sup>"],
  ["C6H5O7-3", "C<sub>6</sub>H<sub>5</sub>O<sub>7</sub><sup>3\u2212</sup>"],
])("writes the formula %s as %s", (formula, written) => expect(html(formulaText(formula))).toBe(written));

const { organisms, chemicals } = Object.fromEntries(builtInCatalog().vocabularies);

it.each([
  ["Homo sapiens", "<i>Homo sapiens</i>"],
  ["Escherichia coli K-12", "<i>Escherichia coli</i> K-12"],
  ["Escherichia coli str. K-12", "<i>Escherichia coli</i> str. K-12"],
  ["Canis lupus familiaris", "<i>Canis lupus familiaris</i>"],
  ["Eukaryota", "Eukaryota"],
  ["Human immunodeficiency virus 1", "Human immunodeficiency virus 1"],
  ["Lactococcus phage", "Lactococcus phage"],
  ["Bacillus subtilis group", "Bacillus subtilis group"],
  ["Bacillus sp. X1", "Bacillus sp. X1"],
])("writes the organism %s as %s", (title, written) => expect(html(termName(organisms, title))).toBe(written));

it("writes properties of terms: formulas, numbers with units, texts", () => {
  const written = (name: string, value: Json) => html(propText(chemicals, name, value).text).replaceAll("\u202f", " ");
  expect(written("chemical_formula", "H2O")).toBe("H<sub>2</sub>O");
  expect(written("molecular_weight", { value: 18015, unit: "g/mol" })).toBe("18.015 kDa");
  expect(written("smiles", "CC1")).toBe("CC1");
  expect(html(termName(chemicals, "Homo sapiens"))).toBe("Homo sapiens");
});

it("knows the symbols of kinds of results, also of those without a declared one", () => {
  const symbols = symbolsOf(model);
  expect(html(kindText("Association rate kOn", symbols))).toBe("Association rate <i>k</i><sub>on</sub>");
  expect(html(kindText("Hill coefficient", symbols))).toBe("Hill coefficient");
  expect(html(shortKind("Change in enthalpy deltaH", symbols))).toBe("Δ<i>H</i>");
  expect(html(shortKind("Something new deltaX", symbols))).toBe("ΔX");
  expect(html(shortKind("Hill coefficient", symbols))).toBe("Hill coefficient");
});

describe("a range", () => {
  const range = (unit: string | undefined, from?: number, to?: number) =>
    rangeText({ from, to }, { units, unit }).replaceAll("\u202f", " ");

  it("has its unit once if both bounds share it, and no dash before a minus", () => {
    expect(range("M", 1e-9, 1e-8)).toBe("1–10 nM");
    expect(range("M", 1e-7, 1e-6)).toBe("100 nM – 1 µM");
    expect(range("M", undefined, 1e-12)).toBe("< 1 pM");
    expect(range("M", 0.01)).toBe("≥ 10 mM");
    expect(range(undefined, 7, 8)).toBe("7–8");
    expect(range("kJ/mol", -60, -40)).toBe("−60 to −40 kJ mol⁻¹");
    expect(range("M^-1 s^-1", 1e5, 1e6)).toBe("1 × 10⁵ – 1 × 10⁶ M⁻¹ s⁻¹");
  });

  it("has exact bounds in another unit", () => {
    expect(range("K", 280, 285)).toBe("6.85–11.85 °C");
    expect(range("M^-1 s^-1", 1e3, 1e4)).toBe("1000 – 1 × 10⁴ M⁻¹ s⁻¹");
    expect(rangeText({ from: 1e-7, to: 1e-6 }, { units, unit: "M", to: units.units.get("nM") })).toBe(
      "100–1000\u202fnM",
    );
  });

  it("stands at an axis with its unit, or with powers of ten if the head has the unit", () => {
    expect(tickText(1e-9, { units, unit: "M" })).toBe("1\u202fnM");
    expect(tickText(1e5, { units, unit: "M^-1 s^-1" })).toBe("10⁵");
    expect(tickText(298.15, { units, unit: "K" })).toBe("25");
    expect(tickText(7, { units, unit: undefined })).toBe("7");
  });
});
