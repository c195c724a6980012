// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "./citations.js";
import type { Amount, EnvironmentReference, LigandInformation } from "./entities.js";
import type { GeneralParameters } from "./general.js";
import type { DataAnalysis } from "./methods.js";
import type { Supplier } from "./people.js";
import type { Step } from "./protocols.js";
import type { Duration, StirringSpeed, Temperature } from "./quantities.js";

/** Bio-layer interferometry. Metadata of a record of bio-layer interferometry (BLI). */
export interface BliMetadata {
  /** General. Who measured what, when, with which instrument, and with which results; the same in all models. */
  general_parameters: GeneralParameters;
  /** Method. The plates, the sensors, the steps of the run, and the measurements. */
  method_specific_parameters: BliMethodSpecificParameters;
}

/** Method. The plates, the sensors, the steps of the run, and the measurements. */
export interface BliMethodSpecificParameters {
  /** The version of this part of the model that the record follows. */
  schema_version: "0.9.7";
  /**
   * Kind of experiment. The aim of the experiment: how strongly the partners bind, a concentration, or something
   * else.
   */
  experiment_type: "Affinity" | "Quantification" | "Other";
  /** The plates that contained the samples. At least 1 item. */
  plates: BliPlate[];
  /** The fibre-optic tips that were dipped into the wells. At least 1 item. */
  sensors: BliSensor[];
  /**
   * Protocol steps. The steps of the run for each sensor, such as baseline, association and dissociation. At least
   * 1 item.
   */
  measurement_protocol: BliProtocolStep[];
  /** The measurements, each with its sensor, its sample and its step. At least 1 item. */
  measurements: BliMeasurement[];
  /** Data analyses. How results were derived from the measurements; one entry per analysis. At least 1 item. */
  data_analysis?: DataAnalysis[];
}

/** Plate. A plate that contained samples. */
export interface BliPlate {
  /** A short id of your choice by which samples refer to this plate, such as plate-1. */
  id: string;
  /** The name of the plate in your notes. */
  name: string;
  /** Number of wells. The number of wells of the plate. */
  wells: "96" | "384";
  /** Type of plate. The make of the plate, such as black flat-bottom polypropylene. */
  type: string;
  /** The maker or supplier of the plate. */
  supplier: Supplier;
  /** The cover of the wells during the run, if any, such as an adhesive foil. */
  sealing?: string;
  /** The treatment of the walls of the wells, for example against adsorption. */
  surface_modification?: BliSurfaceModification;
}

/** Surface modification. The treatment of the walls of the wells, for example against adsorption. */
export interface BliSurfaceModification {
  /** Type of modification. The surface of the walls after modification, such as a BSA coating. */
  type?: string;
  /** The steps of the treatment, in order. At least 1 item. */
  protocol: Step[];
}

/** Sensor. A fibre-optic tip that was dipped into wells. */
export interface BliSensor {
  /** A short id of your choice by which measurements refer to this sensor, such as sensor-a1. */
  id: string;
  /** The name of the sensor in your notes. */
  name: string;
  /** The molecule immobilised on the tip, and how; omit for a bare sensor. */
  ligand?: LigandInformation;
  /** Serial number. The maker's serial or lot number of this sensor. */
  sensor_id?: string;
  /** Surface. The coating of the sensor as supplied, such as streptavidin or Ni-NTA. */
  surface_properties?: string;
  /** The maker or supplier of the sensor. */
  supplier: Supplier;
  /** The time for which the tip was soaked in buffer before its first use. */
  hydration_time?: Duration;
  /** Used before. True if the tip was used in an earlier experiment. */
  previously_used?: boolean;
}

/** Protocol step. A step of the run, with its start, its duration and the shaking speed. */
export interface BliProtocolStep {
  /** A short id of your choice by which measurements refer to this step, such as step-association. */
  id: string;
  /** The name of the step in your notes. */
  name: string;
  /** Type of step. The process on the tip in this step. */
  type: "Association" | "Baseline" | "Dissociation" | "Regeneration" | "Load" | "Wash" | "Activation";
  /** Start. The start of the step, measured from the beginning of the run. */
  start_time: Duration;
  /** Length. The duration of the step. */
  time_length: Duration;
  /** The speed at which the plate was shaken during the step. */
  shaking_speed: StirringSpeed;
}

/** Measurement. The measurement of one sensor in one sample during one step. */
export interface BliMeasurement {
  /** A short id of your choice by which analyses refer to this measurement, such as m-1. */
  id: string;
  /** What distinguishes this measurement from the others, such as the concentration of the analyte. */
  name: string;
  /**
   * The sensor that was dipped into the sample; one of the sensors above. Refers to
   * method_specific_parameters.sensors.
   */
  sensor: Referred<"name">;
  /**
   * Protocol step. The step in which the sensor was in the sample; one of the steps above. Refers to
   * method_specific_parameters.measurement_protocol.
   */
  measurement_protocol_step: Referred<"name">;
  /** The contents of the well. */
  sample: BliSample;
}

/** Sample. The content of one well. */
export interface BliSample {
  /** The plate that contained the sample; one of the plates above. Refers to method_specific_parameters.plates. */
  plate: Referred<"name">;
  /** Well. Row and column of the well, such as B7. */
  well_position: string;
  /** Buffer. The buffer of the sample; one of the buffers of the record. */
  chemical_environment: EnvironmentReference;
  /** The dissolved analytes and their concentrations; omit for plain buffer. At least 1 item. */
  analytes?: Amount[];
  /** The temperature of the sample during the measurement. */
  temperature?: Temperature;
  /** Preparation steps. The steps that prepared this sample, in order. At least 1 item. */
  preparation_protocol?: Step[];
}
