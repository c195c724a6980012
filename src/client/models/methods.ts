// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "./citations.js";
import type { Fitting, ProcessingStep } from "./protocols.js";
import type { ResultReference } from "./results.js";

/** Data analysis. An analysis that derives results from measurements. */
export interface DataAnalysis {
  /** The results of this analysis; each is one of the results in the general parameters. At least 1 item. */
  results?: ResultReference[];
  /**
   * The measurements that went into this analysis. Refers to method_specific_parameters.measurements. At least 1
   * item.
   */
  measurements?: Referred<"name">[];
  /**
   * Processing steps. The processing of the raw data before the fit, in order, such as baseline subtraction. At
   * least 1 item.
   */
  data_processing?: ProcessingStep[];
  /** Fit. The model that was fitted to the data, the software, and how well it fits. */
  data_fitting?: Fitting;
}
