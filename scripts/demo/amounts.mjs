/** Amounts with units: of the table (`0.8 nM`), of results, of samples. */
import { rounded } from "./random.mjs";

const MOLAR = { M: 1, mM: 1e-3, µM: 1e-6, nM: 1e-9, pM: 1e-12 };

/** `{ value, unit }` of `0.8 nM`. */
export function parseAmount(text) {
  const [value, ...unit] = text.split(" ");
  return { value: Number(value), unit: unit.join(" ") };
}

/** A molarity of the table in M. */
export const molar = ({ value, unit }) => value * MOLAR[unit];

/** In that unit. */
export const inUnit = (molarity, unit) => ({ value: rounded(molarity / MOLAR[unit]), unit });

/** In the unit that makes a handy number of it. */
export function handy(molarity, units = ["M", "mM", "µM", "nM", "pM"]) {
  const unit = units.find((name) => molarity >= MOLAR[name] * 0.9995) ?? units.at(-1);
  return inUnit(molarity, unit);
}

const KELVIN = 273.15;
export const kelvins = ({ value, unit }) => (unit === "K" ? value : value + KELVIN);

/** A temperature in °C as a record says it: some write kelvins. */
export function temperatureOf(celsius, random) {
  return random.chance(0.25)
    ? { value: Number((celsius + KELVIN).toFixed(2)), unit: "K" }
    : { value: celsius, unit: "°C" };
}
