// Made from the catalog by `npm run docs`; change the schemas there.

import type { Amount, EnvironmentReference } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Step } from "./protocols.js";
import type { StirringSpeed, Temperature } from "./quantities.js";

/** Isothermal titration calorimetry. Metadata of a record of isothermal titration calorimetry (ITC). */
export interface ItcMetadata {
  /** What every record says: who, when, with what instrument, on what, and what came out. */
  general_parameters: GeneralParameters;
  /**
   * Method-specific parameters. How the calorimeter was set, what was in its cell and its syringe, and how the heat
   * was analysed.
   */
  method_specific_parameters: ItcMethodSpecificParameters;
}

/**
 * Method-specific parameters. How the calorimeter was set, what was in its cell and its syringe, and how the heat
 * was analysed.
 */
export interface ItcMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.1.0";
  /** Each titration, with what was in the cell and what was in the syringe. At least 1 item. */
  measurements: ItcMeasurement[];
  /** How the content of the syringe was put into the cell. */
  injection_mode?: ItcInjectionMode;
  /** The temperature at which the cell was held. */
  cell_temperature: Temperature;
  /** How much the sample cell holds. */
  cell_volume: ItcVolume;
  /** The power at which the instrument was set to balance sample and reference cell. */
  reference_power: ItcReferencePower;
  /** How fast the syringe turned in the cell. */
  stirring_speed: StirringSpeed;
  /** How strongly the instrument made up for the heat of each injection. */
  feedback_mode?: "None" | "Low" | "High";
  /**
   * Data analyses. How results were worked out of the measurements; one entry for each analysis. At least 1 item.
   */
  data_analysis?: ItcDataAnalysis[];
}

/** Injection mode. How the content of the syringe was put into the cell. */
export type ItcInjectionMode = ItcSingleInjection | ItcTitration;

/** Reference power. The power at which the instrument was set to balance sample and reference cell. */
export interface ItcReferencePower {
  /** The number, in the unit beside it. */
  value: number;
  /** Calories or joules in a second. */
  unit: "µcal/s" | "µJ/s";
}

export type ItcDataAnalysis = DataAnalysis & {
  /** Type of model. Simple if one kind of independent sites explains the heat, else complex. */
  type: "Simple model" | "Complex model";
};

/** Measurement. One run: the content of a cell, and what was injected into it. */
export interface ItcMeasurement {
  /** A short key of your own by which analyses name this measurement, such as run-1. */
  id: string;
  /** What tells this measurement from the others, such as the pair of partners. */
  name: string;
  /** Sample in the cell. What was in the cell before the first injection. */
  sample_in_cell: ItcSample;
  /** Sample in the syringe. What was injected into the cell. */
  sample_in_syringe: ItcSample;
}

/** Sample. A solution in the cell or in the syringe. */
export interface ItcSample {
  /** What was dissolved here, and how much of each. At least 1 item. */
  targets: Amount[];
  /** The buffer that the sample was in; one of those in the general parameters. */
  chemical_environment: EnvironmentReference;
  /**
   * Preparation steps. What was done to make this sample ready, in the order in which it was done. At least 1 item.
   */
  preparation_protocol?: Step[];
}

/** Single injection. All of the titrant goes into the cell at once. */
export interface ItcSingleInjection {
  type: "Single injection";
  /** How much was injected in all. */
  volume: ItcVolume;
}

/** Volume. A volume of liquid. */
export interface ItcVolume {
  /** The number, in the unit beside it. At least 0. */
  value: number;
  /** Millilitres or microlitres. */
  unit: "ml" | "µl";
}

/** Titration. The titrant goes into the cell in many small portions. */
export interface ItcTitration {
  type: "Titration";
  /** Number of injections. How many portions were injected in all. At least 1. */
  number_injections: number;
  /**
   * Injections. The portions, grouped by their volume, such as 1 of 0.4 µl and then 18 of 2 µl. At least 1 item.
   */
  injection_parameters?: ItcInjections[];
}

/** Injections of one volume. Injections of the same volume that followed one another. */
export interface ItcInjections {
  /** Number. How many injections of this volume followed one another. At least 0. */
  n_injections: number;
  /** How much went into the cell with each of them. */
  volume: ItcVolume;
}
