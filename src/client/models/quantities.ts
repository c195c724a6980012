// Made from the catalog by `npm run docs`; change the schemas there.

/** Molecular weight. How heavy one molecule or one mole is. */
export interface MolecularWeight {
  /** The number before the unit, not below 0; -1 if it is not known. At least 0. */
  value: number;
  /** What the number counts, such as kDa. */
  unit: MolecularWeightUnit;
}

/** Unit of molecular weight. Mass per mole, or the mass of one molecule. */
export type MolecularWeightUnit = "g/mol" | "Da" | "kDa" | "MDa";

/** Temperature. How warm it was. */
export interface Temperature {
  /** The number before the unit, not below absolute zero. */
  value: number;
  /** Kelvin, degrees Celsius or degrees Fahrenheit. */
  unit: "K" | "°C" | "°F";
}

/** Duration. How long it took. */
export interface Duration {
  /** The number before the unit. At least 0. */
  value: number;
  /** What the number counts, such as minutes. */
  unit: TimeUnit;
}

/** Unit of time. From nanoseconds to years. */
export type TimeUnit =
  | "nanoseconds"
  | "microseconds"
  | "milliseconds"
  | "seconds"
  | "minutes"
  | "hours"
  | "days"
  | "months"
  | "years";

/** Place on Earth. Where on Earth something was collected. */
export interface Location {
  /** Decimal degrees, positive to the north of the equator. From -90 to 90. */
  latitude: number;
  /** Decimal degrees, positive to the east of Greenwich. From -180 to 180. */
  longitude: number;
  /** Metres above sea level; negative below it. At least -6378100. */
  altitude: number;
}

/** Size. How large the particles were, as one number or as a distribution. */
export interface Size {
  /** Measure. Which length of a particle the numbers give. */
  type: "radius" | "diameter" | "path length";
  /** The average over all particles. At least 0. */
  mean: number;
  /** Half of the particles are smaller than this. At least 0. */
  median?: number;
  /** Lower bound. The small end of the distribution. At least 0. */
  lower?: number;
  /** Upper bound. The large end of the distribution. At least 0. */
  upper?: number;
  /** The length that all numbers of the size count. */
  unit: "Å" | "nm" | "μm" | "mm" | "cm" | "m";
}

/** Concentration. How much of a substance there is. */
export interface Concentration {
  /** The number before the unit, not below 0; -1 if it is not known. At least 0. */
  value: number;
  /** What the number counts, such as µM or mg/mL. */
  unit: ConcentrationUnit;
}

/** Unit of concentration. Molar, by mass or volume, or in activity units. */
export type ConcentrationUnit =
  | "M"
  | "mM"
  | "µM"
  | "nM"
  | "pM"
  | "fM"
  | "aM"
  | "g/L"
  | "mg/mL"
  | "µg/mL"
  | "ng/mL"
  | "mol/kg"
  | "mmol/kg"
  | "v/v %"
  | "w/w %"
  | "v/w %"
  | "w/v %"
  | "U/ml"
  | "% saturated";

/** Error of a value. How far the true value may lie from the one given. */
export interface ValueError {
  /** Downwards. How much smaller the true value may be. */
  lower: number;
  /** Upwards. How much larger the true value may be; equal to the other for a symmetric error. */
  upper: number;
  /** Relative. True if the bounds are fractions of the value, false if they have its unit. */
  is_relative: boolean;
}

/** Unit of energy. Energy per mole. */
export type EnergyUnit = "kcal/mol" | "kJ/mol";

/** Stirring or shaking speed. How fast the sample was stirred or shaken. */
export interface StirringSpeed {
  /** Turns per minute, as a whole number; 0 if nothing moved. A whole number. At least 0. */
  value: number;
  /** Revolutions per minute. */
  unit: "RPM";
}
