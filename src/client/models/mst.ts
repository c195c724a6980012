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
  /** General. Who measured what, when, with which instrument, and with which results; the same in all models. */
  general_parameters: GeneralParameters;
  /** Method. The settings of the instrument, the measured samples, and the analysis of the signal. */
  method_specific_parameters: MstMethodSpecificParameters;
}

/** Method. The settings of the instrument, the measured samples, and the analysis of the signal. */
export interface MstMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.10";
  /**
   * Kind of experiment. The aim of the experiment: how strongly the partners bind, a concentration, or something
   * else.
   */
  experiment_type: "Affinity" | "Concentration" | "Other";
  /** Signal. The measured signal: fluorescence before heating, its change on heating, or a spectral shift. */
  signal_type: "Initial intensity" | "TRIC/MST" | "Spectral shift";
  /** Excitation LED. Colour of the excitation light, with the wavelengths of excitation (ex) and emission (em). */
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
  /** The temperature of the samples during the measurement. */
  temperature?: Temperature;
  /** The measured samples; a dilution series has one entry for each capillary. At least 1 item. */
  measurements: MstMeasurement[];
  /** Data analyses. How results were derived from the measurements; one entry per analysis. At least 1 item. */
  data_analysis?: MstDataAnalysis[];
}

export type MstDataAnalysis = DataAnalysis & {
  /** Cold and hot windows. The two time windows whose mean fluorescence is compared. */
  f_cold_and_hot?: MstColdAndHot;
};

/** Measurement. A single measurement of one sample. */
export interface MstMeasurement {
  /** A short id of your choice by which analyses refer to this measurement, such as cap-1. */
  id: string;
  /** What distinguishes this measurement from the others, such as the concentration of the ligand. */
  name: string;
  /** The position of the capillary or well in the instrument, such as 1 or A3. */
  position: string;
  /** The contents of the capillary or well. */
  sample: MstSample;
}

/** Sample. The content of one capillary or well. */
export interface MstSample {
  /** The partners whose fluorescence was measured, and their concentrations. At least 1 item. */
  targets: Amount[];
  /** The partners that bind to the targets, and their concentrations. At least 1 item. */
  ligands: Amount[];
  /** Buffer. The buffer of the sample; one of the buffers of the record. */
  chemical_environment: EnvironmentReference;
  /** Container. The container of the sample during the measurement. */
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
  /** Preparation steps. The steps that prepared this sample, in order. At least 1 item. */
  preparation_protocol?: Step[];
}

/** Cold and hot windows. Two time windows, relative to the moment when the laser is switched on. */
export interface MstColdAndHot {
  /** Unit of time. The unit of the four times. */
  time_unit: TimeUnit;
  /**
   * Cold from. Start of the window before heating; the laser is switched on at 0, so -1 is before that. At least
   * -100.
   */
  f_cold_start: number;
  /** Cold to. End of the window before heating. At least -100. */
  f_cold_end: number;
  /** Hot from. Start of the window in which the sample is heated. At least 0. */
  f_hot_start: number;
  /** Hot to. End of the window in which the sample is heated. At least 0. */
  f_hot_end: number;
}
