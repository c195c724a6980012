// Made from the catalog by `npm run docs`; change the schemas there.

import type { Duration, Temperature } from "./quantities.js";

/** Step. One step of a protocol. */
export interface Step {
  /** The name of the step, such as Centrifugation. */
  name: string;
  /** A description in enough detail that others can repeat the step. */
  description: string;
}

/** Storage. How the sample was stored between preparation and use. */
export interface Storage {
  /** The storage temperature of the sample. */
  temperature: Temperature;
  /** The time for which the sample was stored before use. */
  duration?: Duration;
  /** Preparation for storage. Steps before the sample was stored, such as Flash freezing. At least 1 item. */
  storage_preparation?: Step[];
}

/** Processing step. A processing step of the raw data before the fit. */
export interface ProcessingStep {
  /** The name of the step, such as Baseline subtraction. */
  name: string;
  /** A description of the step, with the relevant settings. */
  description: string;
  /** Software. The program that was used, such as NITPIC. */
  software_name?: string;
  /** The release of the program that was used, such as 1.2.7. */
  software_version?: string;
  /** Source code. The web address of the code, such as https://github.com/name/program. A URI, with its scheme. */
  link_to_source_code?: string;
}

/** Data fitting. How a model was fitted to the data. */
export interface Fitting {
  /** The equation or binding model that was fitted, such as 1:1 binding. */
  model: string;
  /** Software. The program that fitted the data, such as SEDPHAT. */
  software_name?: string;
  /** The release of the program that was used, such as 1.2.7. */
  software_version?: string;
  /** Quality of fit. How well the model describes the data, as one number. */
  quality?: number;
  /** Measure of quality. The measure of quality that the number gives, such as R^2. */
  quality_type?: "R^2" | "SEM" | "red. Chi^2" | "1sigma" | "2sigma" | "3sigma" | "5sigma" | "Skewness";
}
