/** What came out of a made-up measurement, in the units that people of the technique use. */
import { handy, inUnit, kelvins, molar, parseAmount } from "./amounts.mjs";
import { rounded } from "./random.mjs";

/** kcal/(mol K) */
const GAS_CONSTANT = 1.98720425e-3;
const KJ = 4.184;

/**
 * The results of a pair by one technique.
 * @param setting { pair, technique, involved, temperature, random }
 */
export function resultsOf(setting) {
  const { pair, technique } = setting;
  const made = pair.found === undefined ? MAKERS[technique](setting) : amountOf(setting);
  return made.map((result, i) => ({ id: `r${i + 1}`, ...result }));
}

const MAKERS = { bli: kineticsOf, spr: kineticsOf, itc: heatOf, mst: affinityOf };

function kineticsOf(setting) {
  const { pair, random } = setting;
  const kd = near(molar(parseAmount(pair.kd)), random);
  if (pair.kon === undefined) return [dissociation(kd, setting)];
  const kon = near(pair.kon, random);
  const koff = rounded(kd * kon);
  const results = [
    dissociation(kd, setting),
    result(setting, "On-rate", "Association rate kOn", rateOf(kon, random)),
    result(setting, "Off-rate", "Dissociation rate kOff", { value: koff, unit: "s^-1" }),
  ];
  if (random.chance(0.12)) results.push(stoichiometry(setting));
  return results;
}

function heatOf(setting) {
  const { pair, random, temperature } = setting;
  const kd = near(molar(parseAmount(pair.kd)), random);
  const kelvin = kelvins(temperature);
  const dg = GAS_CONSTANT * kelvin * Math.log(kd);
  const dh = pair.dh + random.between(-0.3, 0.3);
  const inKj = random.chance(0.45);
  const energy = (kcal) => ({ value: rounded(inKj ? kcal * KJ : kcal), unit: inKj ? "kJ/mol" : "kcal/mol" });
  const ds = (dh - dg) / kelvin;
  const entropy = { value: rounded(inKj ? ds * KJ : ds, 2), unit: inKj ? "kJ/molK" : "kcal/molK" };
  const results = [
    random.chance(0.25) ? association(kd, setting) : dissociation(kd, setting),
    result(setting, "Enthalpy of binding", "Change in enthalpy deltaH", withError(energy(dh), random)),
  ];
  if (random.chance(0.6)) {
    results.push(result(setting, "Free energy of binding", "Change in Gibbs free energy deltaG", energy(dg)));
    results.push(result(setting, "Entropy of binding", "Change in entropy deltaS", entropy));
  }
  if (random.chance(0.7)) results.push(stoichiometry(setting));
  return results;
}

function affinityOf(setting) {
  const { pair, random } = setting;
  const kd = near(molar(parseAmount(pair.kd)), random);
  if (!random.chance(0.25)) return [dissociation(kd, setting)];
  const hill = { value: rounded(random.between(0.8, 1.9), 2), unit: "unitless" };
  return [
    dissociation(kd, setting),
    result(setting, "Half maximal effect", "Half maximal effective concentration EC50", handy(kd * 1.6)),
    result(setting, "Cooperativity", "Hill coefficient", withError(hill, random)),
  ];
}

function amountOf(setting) {
  const found = withError(parseAmount(setting.pair.found), setting.random);
  return [result(setting, "Amount in the sample", "Concentration", found)];
}

function dissociation(kd, setting) {
  const { random } = setting;
  const plain = handy(kd, ["mM", "µM", "nM"]);
  const amount = random.chance(0.12) ? inUnit(kd, random.pick(["M", "mM", "µM"])) : plain;
  return result(setting, "Affinity", "Constant of dissociation KD", withError(amount, random));
}

function association(kd, setting) {
  const [unit, factor] = setting.random.pick([
    ["M^-1", 1],
    ["mM^-1", 1e-3],
    ["µM^-1", 1e-6],
  ]);
  const amount = { value: rounded(factor / kd), unit };
  return result(setting, "Association constant", "Constant of association KA", withError(amount, setting.random));
}

function rateOf(kon, random) {
  const [unit, factor] = random.pick([
    ["M^-1 s^-1", 1],
    ["M^-1 s^-1", 1],
    ["M^-1 s^-1", 1],
    ["mM^-1 s^-1", 1e-3],
    ["µM^-1 s^-1", 1e-6],
  ]);
  return { value: rounded(kon * factor), unit };
}

/** Its number stands in the copy numbers. */
const stoichiometry = (setting) => result(setting, "Partners in the complex", "Stoichiometry", {});

/** The mass of a complex, that a few records report beside its affinity. */
export function complexMass(setting, kDa) {
  return {
    id: "mass",
    ...result(setting, "Mass of the complex", "Molecular weight", { value: rounded(kDa, 4), unit: "kDa" }),
  };
}

function result({ involved }, name, type, amount) {
  return { name, type, entities_involved: involved, ...amount };
}

/** What one laboratory measures of what another one did. */
const near = (value, random) => rounded(value * random.between(0.85, 1.18));

/** Some say how sure they are: of the value itself, or as a share of it. */
function withError(amount, random) {
  if (random.chance(0.4)) return amount;
  const share = random.between(0.03, 0.15);
  const isRelative = random.chance(0.3);
  const error = rounded(isRelative ? share : Math.abs(amount.value) * share, 2);
  return { ...amount, value_error: { lower: error, upper: error, is_relative: isRelative } };
}
