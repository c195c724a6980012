// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "./citations.js";
import type { Amount, EnvironmentReference, LigandInformation } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Supplier } from "./people.js";
import type { Step } from "./protocols.js";
import type { Duration, Temperature } from "./quantities.js";

/** Surface plasmon resonance. Metadata of a record of surface plasmon resonance (SPR). */
export interface SprMetadata {
  /** General. Who measured what, when, with which instrument, and with which results; the same in all models. */
  general_parameters: GeneralParameters;
  /** Method. The sensor chip, its spots, the steps of the run, and the measurements. */
  method_specific_parameters: SprMethodSpecificParameters;
}

/** Method. The sensor chip, its spots, the steps of the run, and the measurements. */
export interface SprMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.6";
  /**
   * Kind of experiment. The aim of the experiment: how strongly the partners bind, a concentration, or something
   * else.
   */
  experiment_type: "Affinity" | "Quantification" | "Other";
  /** The chip on which binding was measured. */
  sensor: SprSensor;
  /** Positions. The spots of the chip at which binding was measured, including reference spots. At least 1 item. */
  measurement_positions: SprPosition[];
  /** Protocol steps. The steps of the run, such as baseline, association and dissociation. At least 1 item. */
  measurement_protocol: SprProtocolStep[];
  /** The measurements, each with its position and the samples that flowed over it. At least 1 item. */
  measurements: SprMeasurement[];
  /** Data analyses. How results were derived from the measurements; one entry per analysis. At least 1 item. */
  data_analysis?: DataAnalysis[];
}

/** Sensor. The chip on which binding was measured. */
export interface SprSensor {
  /** Serial number. The maker's serial or lot number of this chip. */
  id?: string;
  /** Surface. The coating of the chip, such as carboxymethyl dextran. */
  surface_properties?: string;
  /** The maker or supplier of the chip. */
  supplier: Supplier;
  /** Initialisation. The medium with which the signal of the chip was normalised. */
  sensor_initialization?: "Air" | "Glycerol";
  /** Used before. True if the chip was used in an earlier experiment. */
  previously_used?: boolean;
}

/** Position. A spot of the chip at which binding was measured. */
export interface SprPosition {
  /** A short id of your choice by which steps and measurements refer to this position, such as fc-2. */
  id: string;
  /** The name of the position in your notes. */
  name: string;
  /** The channel of the chip that contains the position, such as 2. */
  flow_cell: string;
  /** Spot. The spot in the flow cell, if it has several. */
  position?: string;
  /** The molecule immobilised at this position, and how; omit for a bare reference. */
  ligand?: LigandInformation;
}

/** Protocol step. A step of the run, with its start, its duration and the flow. */
export interface SprProtocolStep {
  /** A short id of your choice by which samples refer to this step, such as step-association. */
  id: string;
  /** The name of the step in your notes. */
  name: string;
  /** Type of step. The process on the chip in this step. */
  type: "Association" | "Baseline" | "Dissociation" | "Regeneration" | "Load" | "Wash" | "Activation" | "Enhancement";
  /** Start. The start of the step, measured from the beginning of the run. */
  start_time: Duration;
  /** Length. The duration of the step. */
  time_length: Duration;
  /** The flow of the liquid over the chip during the step. */
  flow: SprFlow;
}

/** Flow. The rate, the direction and the path of the liquid. */
export interface SprFlow {
  /** The volume of liquid per time, in the given unit. At least 0. */
  rate: number;
  /** Millilitres per minute or microlitres per second. */
  unit: "mL/min" | "µl/s";
  /** The path of the liquid across the chip. */
  direction?: "Vertical" | "Horizontal";
  /** Paths. The paths of the liquid, each as a list of the positions that it passed, in order. At least 1 item. */
  path: SprPositionReference[][];
}

/** Position. The id of a position of this record. Refers to method_specific_parameters.measurement_positions. */
export type SprPositionReference = Referred<"name">;

/** Measurement. The samples that flowed over one position. */
export interface SprMeasurement {
  /** A short id of your choice by which analyses refer to this measurement, such as cycle-1. */
  id: string;
  /** What distinguishes this measurement from the others, such as the concentration of the analyte. */
  name: string;
  /** Position. The position whose signal was measured; one of the positions above. */
  measurement_position: SprPositionReference;
  /**
   * Reference position. The position whose signal was subtracted, such as a bare spot; one of the positions above.
   */
  reference_measurement_position?: SprPositionReference;
  /** The samples that flowed over the position, step by step. At least 1 item. */
  samples: SprSample[];
  /** The samples that flowed over the position as blanks for subtraction, step by step. At least 1 item. */
  reference_samples?: SprSample[];
}

/** Sample. A sample that flowed over the chip in one step. */
export interface SprSample {
  /**
   * Protocol step. The step in which the sample flowed; one of the steps above. Refers to
   * method_specific_parameters.measurement_protocol.
   */
  measurement_step: Referred<"name">;
  /** Position in rack. The position of the sample in the rack or plate of the instrument, such as R1 A3. */
  position?: string;
  /** Buffer. The buffer of the sample; one of the buffers of the record. */
  chemical_environment: EnvironmentReference;
  /** The dissolved analytes and their concentrations. At least 1 item. */
  analytes: Amount[];
  /** The temperature of the sample during the measurement. */
  temperature?: Temperature;
  /** Preparation steps. The steps that prepared this sample, in order. At least 1 item. */
  preparation_protocol?: Step[];
}
