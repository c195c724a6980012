// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "../citations.js";
import type { Fitting, ProcessingStep } from "./protocols.js";
import type { ResultReference } from "./results.js";

/** Data analysis. One way from measurements to results. */
export interface DataAnalysis {
  /**
   * The results that came out of this analysis; each is one of those in the general parameters. At least 1 item.
   */
  results?: ResultReference[];
  /**
   * The measurements that went into this analysis. Refers to method_specific_parameters.measurements. At least 1
   * item.
   */
  measurements?: Referred<"name">[];
  /**
   * Processing steps. What was done to the raw data before they were fitted, in order, such as baseline
   * subtraction. At least 1 item.
   */
  data_processing?: ProcessingStep[];
  /** Fit. The model that was fitted to the data, the software, and how well it fits. */
  data_fitting?: Fitting;
}
