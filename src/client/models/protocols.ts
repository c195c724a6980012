// Made from the catalog by `npm run docs`; change the schemas there.

import type { Duration, Temperature } from "./quantities.js";

/** Step. One step of a protocol. */
export interface Step {
  /** What the step is called, such as Centrifugation. */
  name: string;
  /** What was done, in enough detail that others can do it again. */
  description: string;
}

/** Storage. How the sample was kept between preparation and use. */
export interface Storage {
  /** How warm or cold the sample was kept. */
  temperature: Temperature;
  /** How long the sample was kept before it was used. */
  duration?: Duration;
  /** Preparation for storage. Steps before the sample was put away, such as Flash freezing. At least 1 item. */
  storage_preparation?: Step[];
}

/** Processing step. One step from raw data to data that can be fitted. */
export interface ProcessingStep {
  /** What the step is called, such as Baseline subtraction. */
  name: string;
  /** What was done to the data, with the settings that matter. */
  description: string;
  /** Software. The program that did it, such as NITPIC. */
  software_name?: string;
  /** Which release of the program was used, such as 1.2.7. */
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
  /** Which release of the program was used, such as 1.2.7. */
  software_version?: string;
  /** Quality of fit. How well the model describes the data, as one number. */
  quality?: number;
  /** Measure of quality. What the number for the quality means, such as R^2. */
  quality_type?: "R^2" | "SEM" | "red. Chi^2" | "1sigma" | "2sigma" | "3sigma" | "5sigma" | "Skewness";
}
