// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "../citations.js";
import type { Amount, EnvironmentReference, LigandInformation } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Supplier } from "./people.js";
import type { Step } from "./protocols.js";
import type { Duration, StirringSpeed, Temperature } from "./quantities.js";

/** Bio-layer interferometry. Metadata of a record of bio-layer interferometry (BLI). */
export interface BliMetadata {
  /** What every record says: who, when, with what instrument, on what, and what came out. */
  general_parameters: GeneralParameters;
  /**
   * Method-specific parameters. The plates, the sensors, the steps that they went through, and what was measured.
   */
  method_specific_parameters: BliMethodSpecificParameters;
}

/** Method-specific parameters. The plates, the sensors, the steps that they went through, and what was measured. */
export interface BliMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.7";
  /**
   * Kind of experiment. What the experiment was to find out: how strongly partners bind, how much there is, or
   * something else.
   */
  experiment_type: "Affinity" | "Quantification" | "Other";
  /** The plates whose wells held the samples. At least 1 item. */
  plates: BliPlate[];
  /** The fibre-optic tips that were dipped into the wells. At least 1 item. */
  sensors: BliSensor[];
  /**
   * Protocol steps. The steps that a sensor went through, such as baseline, association and dissociation. At least
   * 1 item.
   */
  measurement_protocol: BliProtocolStep[];
  /** Each says which sensor was in which sample, and in which step. At least 1 item. */
  measurements: BliMeasurement[];
  /**
   * Data analyses. How results were worked out of the measurements; one entry for each analysis. At least 1 item.
   */
  data_analysis?: DataAnalysis[];
}

/** Plate. A plate whose wells held samples. */
export interface BliPlate {
  /** A short key of your own by which samples name this plate, such as plate-1. */
  id: string;
  /** What the plate is called in your notes. */
  name: string;
  /** Number of wells. How many wells the plate has. */
  wells: "96" | "384";
  /** Type of plate. The make of the plate, such as black flat-bottom polypropylene. */
  type: string;
  /** Who made or sold the plate. */
  supplier: Supplier;
  /** What covered the wells during the run, if anything, such as an adhesive foil. */
  sealing?: string;
  /** How the walls of the wells were treated, for instance against sticking. */
  surface_modification?: BliSurfaceModification;
}

/** Surface modification. How the walls of the wells were treated, for instance against sticking. */
export interface BliSurfaceModification {
  /** Type of modification. What the walls carry now, such as a BSA coating. */
  type?: string;
  /** The steps of the treatment, in order. At least 1 item. */
  protocol: Step[];
}

/** Sensor. A fibre-optic tip that was dipped into wells. */
export interface BliSensor {
  /** A short key of your own by which measurements name this sensor, such as sensor-a1. */
  id: string;
  /** What the sensor is called in your notes. */
  name: string;
  /** What was fixed on the tip, and how; left out for a bare sensor. */
  ligand?: LigandInformation;
  /** Serial number. The number that the maker gave to this sensor or its lot. */
  sensor_id?: string;
  /** Surface. The coating that the sensor was sold with, such as streptavidin or Ni-NTA. */
  surface_properties?: string;
  /** Who made or sold the sensor. */
  supplier: Supplier;
  /** How long the tip was soaked in buffer before its first use. */
  hydration_time?: Duration;
  /** Used before. True if the tip had served in an earlier experiment. */
  previously_used?: boolean;
}

/** Protocol step. A step that a sensor went through, with its time and shaking. */
export interface BliProtocolStep {
  /** A short key of your own by which measurements name this step, such as step-association. */
  id: string;
  /** What the step is called in your notes. */
  name: string;
  /** Type of step. What happens on the tip in this step. */
  type: "Association" | "Baseline" | "Dissociation" | "Regeneration" | "Load" | "Wash" | "Activation";
  /** Start. When the step began, counted from the beginning of the run. */
  start_time: Duration;
  /** Length. How long the step took. */
  time_length: Duration;
  /** How fast the plate was shaken during the step. */
  shaking_speed: StirringSpeed;
}

/** Measurement. One sensor in one sample, during one step. */
export interface BliMeasurement {
  /** A short key of your own by which analyses name this measurement, such as m-1. */
  id: string;
  /** What tells this measurement from the others, such as the concentration of the analyte. */
  name: string;
  /**
   * The sensor that was dipped into the sample; one of those above. Refers to method_specific_parameters.sensors.
   */
  sensor: Referred<"name">;
  /**
   * Protocol step. The step during which it was dipped in; one of those above. Refers to
   * method_specific_parameters.measurement_protocol.
   */
  measurement_protocol_step: Referred<"name">;
  /** What was in the well. */
  sample: BliSample;
}

/** Sample. The content of one well. */
export interface BliSample {
  /** The plate that held the sample; one of those above. Refers to method_specific_parameters.plates. */
  plate: Referred<"name">;
  /** Well. Row and column of the well, such as B7. */
  well_position: string;
  /** The buffer that the sample was in; one of those in the general parameters. */
  chemical_environment: EnvironmentReference;
  /** What was dissolved to bind to the tip, and how much; left out for plain buffer. At least 1 item. */
  analytes?: Amount[];
  /** How warm the sample was while it was measured. */
  temperature?: Temperature;
  /**
   * Preparation steps. What was done to make this sample ready, in the order in which it was done. At least 1 item.
   */
  preparation_protocol?: Step[];
}
