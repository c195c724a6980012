// Made from the catalog by `npm run docs`; change the schemas there.

import type { Amount, EnvironmentReference } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Step } from "./protocols.js";
import type { StirringSpeed, Temperature } from "./quantities.js";

/** Isothermal titration calorimetry. Metadata of a record of isothermal titration calorimetry (ITC). */
export interface ItcMetadata {
  /** General. Who measured what, when, with which instrument, and with which results; the same in all models. */
  general_parameters: GeneralParameters;
  /** Method. The settings of the calorimeter, the contents of cell and syringe, and the analysis of the heat. */
  method_specific_parameters: ItcMethodSpecificParameters;
}

/** Method. The settings of the calorimeter, the contents of cell and syringe, and the analysis of the heat. */
export interface ItcMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.1.0";
  /** The titrations, each with the contents of the cell and of the syringe. At least 1 item. */
  measurements: ItcMeasurement[];
  /** How the contents of the syringe were injected into the cell. */
  injection_mode?: ItcInjectionMode;
  /** The temperature of the cell during the measurement. */
  cell_temperature: Temperature;
  /** The volume of the sample cell. */
  cell_volume: ItcVolume;
  /** The power set to balance the sample cell and the reference cell. */
  reference_power: ItcReferencePower;
  /** The stirring speed of the syringe in the cell. */
  stirring_speed: StirringSpeed;
  /** How strongly the instrument compensated for the heat of each injection. */
  feedback_mode?: "None" | "Low" | "High";
  /** Data analyses. How results were derived from the measurements; one entry per analysis. At least 1 item. */
  data_analysis?: ItcDataAnalysis[];
}

/** Injection mode. How the contents of the syringe were injected into the cell. */
export type ItcInjectionMode = ItcSingleInjection | ItcTitration;

/** Reference power. The power set to balance the sample cell and the reference cell. */
export interface ItcReferencePower {
  /** The number, in the given unit. */
  value: number;
  /** Calories per second or joules per second. */
  unit: "µcal/s" | "µJ/s";
}

export type ItcDataAnalysis = DataAnalysis & {
  /** Type of model. Simple for a single kind of independent sites, otherwise complex. */
  type: "Simple model" | "Complex model";
};

/** Measurement. One run: the contents of the cell, and the solution that was injected. */
export interface ItcMeasurement {
  /** A short id of your choice by which analyses refer to this measurement, such as run-1. */
  id: string;
  /** What distinguishes this measurement from the others, such as the pair of partners. */
  name: string;
  /** Sample in the cell. The solution in the cell before the first injection. */
  sample_in_cell: ItcSample;
  /** Sample in the syringe. The solution that was injected into the cell. */
  sample_in_syringe: ItcSample;
}

/** Sample. A solution in the cell or in the syringe. */
export interface ItcSample {
  /** The dissolved molecules and their concentrations. At least 1 item. */
  targets: Amount[];
  /** Buffer. The buffer of the sample; one of the buffers of the record. */
  chemical_environment: EnvironmentReference;
  /** Preparation steps. The steps that prepared this sample, in order. At least 1 item. */
  preparation_protocol?: Step[];
}

/** Single injection. All of the titrant is injected at once. */
export interface ItcSingleInjection {
  type: "Single injection";
  /** The total injected volume. */
  volume: ItcVolume;
}

/** Volume. A volume of liquid. */
export interface ItcVolume {
  /** The number, in the given unit. At least 0. */
  value: number;
  /** Millilitres or microlitres. */
  unit: "ml" | "µl";
}

/** Titration. The titrant is injected in many small portions. */
export interface ItcTitration {
  type: "Titration";
  /** Number of injections. The total number of injections. At least 1. */
  number_injections: number;
  /** Injections. The injections, grouped by volume, such as 1 of 0.4 µl and then 18 of 2 µl. At least 1 item. */
  injection_parameters?: ItcInjections[];
}

/** Injections of one volume. Consecutive injections of the same volume. */
export interface ItcInjections {
  /** Number. The number of consecutive injections of this volume. At least 0. */
  n_injections: number;
  /** The volume of each of these injections. */
  volume: ItcVolume;
}
