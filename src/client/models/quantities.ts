// Made from the catalog by `npm run docs`; change the schemas there.

/** Molecular weight. The mass of one molecule or of one mole. */
export interface MolecularWeight {
  /** The number, 0 or more; -1 if it is not known. At least 0. */
  value: number;
  /** The unit of the number, such as kDa. */
  unit: MolecularWeightUnit;
}

/** Unit of molecular weight. Mass per mole, or the mass of one molecule. */
export type MolecularWeightUnit = "g/mol" | "Da" | "kDa" | "MDa";

/** Temperature. A temperature. */
export interface Temperature {
  /** The number, in the given unit; not below absolute zero. */
  value: number;
  /** Kelvin, degrees Celsius or degrees Fahrenheit. */
  unit: "K" | "°C" | "°F";
}

/** Duration. A duration. */
export interface Duration {
  /** The number, in the given unit. At least 0. */
  value: number;
  /** The unit of the number, such as minutes. */
  unit: TimeUnit;
}

/** Unit of time. A unit of time, from nanoseconds to years. */
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

/** Geographic location. The geographic location where something was collected. */
export interface Location {
  /** Decimal degrees, positive to the north of the equator. From -90 to 90. */
  latitude: number;
  /** Decimal degrees, positive to the east of Greenwich. From -180 to 180. */
  longitude: number;
  /** Metres above sea level; negative below sea level. At least -6378100. */
  altitude: number;
}

/** Size. The size of the particles, as a single number or as a distribution. */
export interface Size {
  /** Measure. The dimension of a particle to which the numbers apply. */
  type: "radius" | "diameter" | "path length";
  /** The average over all particles. At least 0. */
  mean: number;
  /** Half of the particles are smaller than this. At least 0. */
  median?: number;
  /** Lower bound. The lower limit of the distribution. At least 0. */
  lower?: number;
  /** Upper bound. The upper limit of the distribution. At least 0. */
  upper?: number;
  /** The unit of length of all numbers of the size. */
  unit: "Å" | "nm" | "μm" | "mm" | "cm" | "m";
}

/** Concentration. The concentration of a substance. */
export interface Concentration {
  /** The number, 0 or more; -1 if it is not known. At least 0. */
  value: number;
  /** The unit of the number, such as µM or mg/mL. */
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

/** Error of a value. The uncertainty of the value. */
export interface ValueError {
  /** Downwards. The amount by which the true value may be smaller. */
  lower: number;
  /** Upwards. The amount by which the true value may be larger; equal to the lower bound if symmetric. */
  upper: number;
  /** Relative. True if the bounds are fractions of the value; false if they are in its unit. */
  is_relative: boolean;
}

/** Unit of energy. Energy per mole. */
export type EnergyUnit = "kcal/mol" | "kJ/mol";

/** Stirring or shaking speed. The speed at which the sample was stirred or shaken. */
export interface StirringSpeed {
  /** Revolutions per minute, as a whole number; 0 without stirring or shaking. A whole number. At least 0. */
  value: number;
  /** Revolutions per minute. */
  unit: "RPM";
}
