// Made from the catalog by `npm run docs`; change the schemas there.

import type { Amount, EnvironmentReference } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Step } from "./protocols.js";
import type { Temperature, TimeUnit } from "./quantities.js";

/**
 * Microscale thermophoresis. Metadata of a record of microscale thermophoresis (MST) or temperature-related
 * intensity change (TRIC).
 */
export interface MstMetadata {
  /** What every record says: who, when, with what instrument, on what, and what came out. */
  general_parameters: GeneralParameters;
  /**
   * Method-specific parameters. How the instrument was set, which samples were measured, and how the signal was
   * analysed.
   */
  method_specific_parameters: MstMethodSpecificParameters;
}

/**
 * Method-specific parameters. How the instrument was set, which samples were measured, and how the signal was
 * analysed.
 */
export interface MstMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.10";
  /**
   * Kind of experiment. What the experiment was to find out: how strongly partners bind, how much there is, or
   * something else.
   */
  experiment_type: "Affinity" | "Concentration" | "Other";
  /** Signal. What was read: fluorescence before heating, its change on heating, or a shift of colour. */
  signal_type: "Initial intensity" | "TRIC/MST" | "Spectral shift";
  /**
   * Excitation LED. Colour of the light that excites the dye, with the ranges of excitation (ex) and emission (em).
   */
  excitation_led_color:
    | "RED (ex 605-645nm, em 660-720nm)"
    | "RED (ex 610-645nm, em 680-720nm)"
    | "GREEN (ex 555-585nm, em 605-690nm)"
    | "GREEN (ex 515-550nm, em 565-600nm)"
    | "BLUE (ex 480-500nm, em 515-550nm)"
    | "BLUE (ex 460-500nm, em 515-560nm)"
    | "UV (ex 260-300nm, em 330-380nm)"
    | "Spectral shift";
  /** Excitation power. Power of the LED, in percent of its maximum. From 0 to 100. */
  excitation_led_power: number;
  /** Infrared laser power. Power of the laser that heats the sample, in percent of its maximum. From 0 to 100. */
  ir_mst_laser_power: number;
  /** The temperature at which the samples were held. */
  temperature?: Temperature;
  /** Each sample that was measured; a series of dilutions has one entry for every capillary. At least 1 item. */
  measurements: MstMeasurement[];
  /**
   * Data analyses. How results were worked out of the measurements; one entry for each analysis. At least 1 item.
   */
  data_analysis?: MstDataAnalysis[];
}

export type MstDataAnalysis = DataAnalysis & {
  /** Cold and hot windows. The two spans of time whose mean fluorescences are compared. */
  f_cold_and_hot?: MstColdAndHot;
};

/** Measurement. One sample that was measured once. */
export interface MstMeasurement {
  /** A short key of your own by which analyses name this measurement, such as cap-1. */
  id: string;
  /** What tells this measurement from the others, such as the concentration of the ligand. */
  name: string;
  /** Where the capillary or well was in the instrument, such as 1 or A3. */
  position: string;
  /** What was in the capillary or well. */
  sample: MstSample;
}

/** Sample. The content of one capillary or well. */
export interface MstSample {
  /** The partners whose fluorescence was read, and how much of each. At least 1 item. */
  targets: Amount[];
  /** The partners that were added to bind to the targets, and how much of each. At least 1 item. */
  ligands: Amount[];
  /** The buffer that the sample was in; one of those in the general parameters. */
  chemical_environment: EnvironmentReference;
  /** Container. What held the sample while it was measured. */
  measurement_container:
    | "Monolith Standard Capillary"
    | "Monolith Premium Capillary"
    | "Monolith LabelFree Capillary"
    | "Monolith LabelFree Premium Capillary"
    | "Monolith NT.Automated Capillary Chip"
    | "Monolith NT.Automated Premium Capillary Chip"
    | "Monolith NT.Automated LabelFree Capillary Chip"
    | "Monolith NT.Automated LabelFree Premium Capillary Chip"
    | "384-well plate"
    | "other";
  /**
   * Preparation steps. What was done to make this sample ready, in the order in which it was done. At least 1 item.
   */
  preparation_protocol?: Step[];
}

/** Cold and hot windows. Two spans of time, counted from the moment when the laser goes on. */
export interface MstColdAndHot {
  /** Unit of time. The unit of the four times. */
  time_unit: TimeUnit;
  /** Cold from. Start of the window before heating; the laser goes on at 0, so -1 is just before. At least -100. */
  f_cold_start: number;
  /** Cold to. End of the window before heating. At least -100. */
  f_cold_end: number;
  /** Hot from. Start of the window in which the sample is heated. At least 0. */
  f_hot_start: number;
  /** Hot to. End of the window in which the sample is heated. At least 0. */
  f_hot_end: number;
}
