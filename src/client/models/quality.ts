// Made from the catalog by `npm run docs`; change the schemas there.

import type { MolecularWeight } from "./quantities.js";

/** Quality controls. Quality checks of the sample before the measurement. */
export interface QualityControls {
  /** How free the sample is from other substances. */
  purity?: Purity;
  /** Whether the sample is the intended substance. */
  identity?: Identity;
  /** Whether all particles of the sample are the same. */
  homogeneity?: Homogeneity;
}

/** Purity. How free the sample is from other substances. */
export type Purity = AssessedPurity | NotAssessed;

/** Measured purity. The method by which the purity was measured, and the purity. */
export interface AssessedPurity {
  assessed: "Yes";
  /** The method by which the purity was measured. */
  method: "SDS-PAGE" | "Capillary Electrophoresis" | "Agarose Gel electrophoresis";
  /** Purity. The fraction of the sample that is the substance itself. */
  purity_percentage: "<90 %" | ">90 %" | ">95 %" | ">99 %";
}

/** Not assessed. The check was not made. */
export interface NotAssessed {
  assessed: "No";
}

/** Identity. Whether the sample is the intended substance. */
export type Identity = AssessedIdentity | NotAssessed;

/** Confirmed identity. The measurements that confirmed the identity. */
export interface AssessedIdentity {
  assessed: "Yes";
  /** The mass of the whole molecule was measured. */
  by_intact_mass?: ByIntactMass;
  /** The sequence was determined, completely or in part. */
  by_sequencing?: BySequencing;
  /** The fragment pattern was compared with the expected pattern. */
  by_fingerprinting?: ByFingerprinting;
}

/** By intact mass. The mass of the whole molecule was measured. */
export interface ByIntactMass {
  /** The method by which the mass was measured. */
  method: "Mass spectrometry" | "SDS-PAGE";
  /** The difference between the measured and the calculated mass. */
  deviation_from_expected_mass: MolecularWeight;
}

/** By sequencing. The sequence was determined, completely or in part. */
export interface BySequencing {
  /** The method by which the sequence was determined. */
  method:
    | "Mass spectrometry-Mass spectrometry"
    | "Edman degradation"
    | "Sanger sequencing"
    | "Next generation sequencing";
  /** The part of the sequence that was determined, in percent. From 0 to 100. */
  coverage: number;
}

/** By fingerprinting. The fragment pattern was compared with the expected pattern. */
export interface ByFingerprinting {
  /** The method by which the fragments were made and analysed. */
  method: "Protease digest + Mass spectrometry" | "Restriction enzyme digest + Gel electrophoresis";
}

/** Homogeneity. Whether all particles of the sample are the same. */
export type Homogeneity = AssessedHomogeneity | NotAssessed;

/** Measured homogeneity. The method by which the homogeneity was measured, and the result. */
export interface AssessedHomogeneity {
  assessed: "Yes";
  /** The method by which the homogeneity was measured. */
  method:
    | "Dynamic light scattering"
    | "Size exclusion chromatography"
    | "Native Gel Electrophoresis"
    | "Mass photometry";
  /**
   * Expected species. The expected number of species, such as 2 for monomer and dimer. A whole number. At least 1.
   */
  expected_number_of_species: number;
  /** Observed species. The number of species found by the measurement. A whole number. At least 1. */
  number_of_species_observed: number;
}
