// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "../citations.js";
import type { Amount, EnvironmentReference, LigandInformation } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Supplier } from "./people.js";
import type { Step } from "./protocols.js";
import type { Duration, Temperature } from "./quantities.js";

/** Surface plasmon resonance. Metadata of a record of surface plasmon resonance (SPR). */
export interface SprMetadata {
  /** What every record says: who, when, with what instrument, on what, and what came out. */
  general_parameters: GeneralParameters;
  /**
   * Method-specific parameters. The sensor chip, its spots, the steps of the run, and what was measured on them.
   */
  method_specific_parameters: SprMethodSpecificParameters;
}

/** Method-specific parameters. The sensor chip, its spots, the steps of the run, and what was measured on them. */
export interface SprMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.6";
  /**
   * Kind of experiment. What the experiment was to find out: how strongly partners bind, how much there is, or
   * something else.
   */
  experiment_type: "Affinity" | "Quantification" | "Other";
  /** The chip on which binding was measured. */
  sensor: SprSensor;
  /**
   * Positions. The spots of the chip at which binding was followed, reference spots among them. At least 1 item.
   */
  measurement_positions: SprPosition[];
  /** Protocol steps. The steps of the run, such as baseline, association and dissociation. At least 1 item. */
  measurement_protocol: SprProtocolStep[];
  /** Each says which samples flowed over which position. At least 1 item. */
  measurements: SprMeasurement[];
  /**
   * Data analyses. How results were worked out of the measurements; one entry for each analysis. At least 1 item.
   */
  data_analysis?: DataAnalysis[];
}

/** Sensor. The chip on which binding was measured. */
export interface SprSensor {
  /** Serial number. The number that the maker gave to this chip or its lot. */
  id?: string;
  /** Surface. The coating of the chip, such as carboxymethyl dextran. */
  surface_properties?: string;
  /** Who made or sold the chip. */
  supplier: Supplier;
  /** Initialisation. What the instrument normalised the signal of the chip with. */
  sensor_initialization?: "Air" | "Glycerol";
  /** Used before. True if the chip had served in an earlier experiment. */
  previously_used?: boolean;
}

/** Position. A spot of the chip at which binding was followed. */
export interface SprPosition {
  /** A short key of your own by which steps and measurements name this position, such as fc-2. */
  id: string;
  /** What the position is called in your notes. */
  name: string;
  /** The channel of the chip in which the position lies, such as 2. */
  flow_cell: string;
  /** Spot. Which spot of the flow cell it is, if there are several. */
  position?: string;
  /** What was fixed at this position, and how; left out for a bare reference. */
  ligand?: LigandInformation;
}

/** Protocol step. A step of the run, with its time and flow. */
export interface SprProtocolStep {
  /** A short key of your own by which samples name this step, such as step-association. */
  id: string;
  /** What the step is called in your notes. */
  name: string;
  /** Type of step. What happens on the chip in this step. */
  type: "Association" | "Baseline" | "Dissociation" | "Regeneration" | "Load" | "Wash" | "Activation" | "Enhancement";
  /** Start. When the step began, counted from the beginning of the run. */
  start_time: Duration;
  /** Length. How long the step took. */
  time_length: Duration;
  /** How the liquid ran over the chip during the step. */
  flow: SprFlow;
}

/** Flow. How fast, in which direction and over which positions the liquid ran. */
export interface SprFlow {
  /** How much liquid ran through in a time, in the unit beside it. At least 0. */
  rate: number;
  /** Millilitres in a minute or microlitres in a second. */
  unit: "mL/min" | "µl/s";
  /** The way that the liquid took across the chip. */
  direction?: "Vertical" | "Horizontal";
  /**
   * Paths. Each way that the liquid took: a list of the positions that it passed, first to last. At least 1 item.
   */
  path: SprPositionReference[][];
}

/** Position. A position of this record, by its id. Refers to method_specific_parameters.measurement_positions. */
export type SprPositionReference = Referred<"name">;

/** Measurement. The samples that flowed over one position. */
export interface SprMeasurement {
  /** A short key of your own by which analyses name this measurement, such as cycle-1. */
  id: string;
  /** What tells this measurement from the others, such as the concentration of the analyte. */
  name: string;
  /** Position. The position whose signal was followed; one of those above. */
  measurement_position: SprPositionReference;
  /** Reference position. The position whose signal was subtracted, such as a bare spot; one of those above. */
  reference_measurement_position?: SprPositionReference;
  /** What flowed over the position, step by step. At least 1 item. */
  samples: SprSample[];
  /** What flowed over it to be subtracted as a blank, step by step. At least 1 item. */
  reference_samples?: SprSample[];
}

/** Sample. What flowed over the chip in one step. */
export interface SprSample {
  /**
   * Protocol step. The step in which the sample flowed; one of those above. Refers to
   * method_specific_parameters.measurement_protocol.
   */
  measurement_step: Referred<"name">;
  /** Position in rack. Where the sample stood in the rack or plate of the instrument, such as R1 A3. */
  position?: string;
  /** The buffer that the sample was in; one of those in the general parameters. */
  chemical_environment: EnvironmentReference;
  /** What was dissolved to bind to the chip, and how much of each. At least 1 item. */
  analytes: Amount[];
  /** How warm the sample was while it was measured. */
  temperature?: Temperature;
  /**
   * Preparation steps. What was done to make this sample ready, in the order in which it was done. At least 1 item.
   */
  preparation_protocol?: Step[];
}
