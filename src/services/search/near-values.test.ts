import { expect, it } from "vitest";
import { readValues } from "./near-values.js";

const TECHNIQUES = [
  "Bio-layer interferometry (BLI)",
  "Isothermal Titration Calorimetry (ITC)",
  "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
  "Surface plasmon resonance (SPR)",
];
const FUNDERS = ["Deutsche Forschungsgemeinschaft", "European Commission", "National Institutes of Health", "UKRI"];
const RESULTS = ["Constant of association KA", "Constant of dissociation KD", "Dissociation rate kOff"];
const TYPES = ["Polymer", "Chemical", "Molecular assembly"];

it.each([
  ["SPR", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["spr", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["S.P.R.", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["(SPR)", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["surface plasmon resonance", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["Surface Plasmon", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["plasmon", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["Surface plasmon rezonance", TECHNIQUES.slice(3), "Surface plasmon resonance (SPR)"],
  ["Surface plasmon resonance (SPR) imaging", TECHNIQUES, "Surface plasmon resonance (SPR)"],
  ["MST", TECHNIQUES, TECHNIQUES[2]],
  ["tric", TECHNIQUES, TECHNIQUES[2]],
  ["MST/TRIC", TECHNIQUES, TECHNIQUES[2]],
  ["Microscale thermophoresis", TECHNIQUES, TECHNIQUES[2]],
  ["BLI", TECHNIQUES, TECHNIQUES[0]],
  ["biolayer interferometry", TECHNIQUES, TECHNIQUES[0]],
  ["itc", TECHNIQUES, TECHNIQUES[1]],
  ["NIH", FUNDERS, "National Institutes of Health"],
  ["EC", FUNDERS, "European Commission"],
  ["UK Research and Innovation (UKRI)", FUNDERS, "UKRI"],
  ["Surface plasmon resonance", ["BLI", "SPR"], "SPR"],
  ["KD", RESULTS, "Constant of dissociation KD"],
  ["koff", RESULTS, "Dissociation rate kOff"],
  ["polymer", TYPES, "Polymer"],
  ["POLYMERS", TYPES, "Polymer"],
  ["assembly", TYPES, "Molecular assembly"],
])("%j means first of all one value", async (text, values, value) => {
  const findNear = await readValues(values);
  expect((await findNear(text, 5))[0]).toBe(value);
});

it.each(["", "...", "a", "xyz", "ITS nothing"])("%j means none", async (text) => {
  const findNear = await readValues(TECHNIQUES.slice(2));
  expect(await findNear(text, 5)).toEqual([]);
});
