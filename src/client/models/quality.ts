// Made from the catalog by `npm run docs`; change the schemas there.

import type { MolecularWeight } from "./quantities.js";

/** Quality controls. Checks of the sample before it was measured. */
export interface QualityControls {
  /** How free the sample is of other substances. */
  purity?: Purity;
  /** Whether the sample is the substance it is meant to be. */
  identity?: Identity;
  /** Whether all particles of the sample are alike. */
  homogeneity?: Homogeneity;
}

/** Purity. How free the sample is of other substances. */
export type Purity = AssessedPurity | NotAssessed;

/** Measured purity. How the purity was measured, and how high it is. */
export interface AssessedPurity {
  assessed: "Yes";
  /** How the purity was measured. */
  method: "SDS-PAGE" | "Capillary Electrophoresis" | "Agarose Gel electrophoresis";
  /** Share of the substance. How much of the sample is the substance itself. */
  purity_percentage: "<90 %" | ">90 %" | ">95 %" | ">99 %";
}

/** Not assessed. The check was not made. */
export interface NotAssessed {
  assessed: "No";
}

/** Identity. Whether the sample is the substance it is meant to be. */
export type Identity = AssessedIdentity | NotAssessed;

/** Confirmed identity. By which measurements the identity was confirmed. */
export interface AssessedIdentity {
  assessed: "Yes";
  /** The mass of the whole molecule was measured. */
  by_intact_mass?: ByIntactMass;
  /** The sequence was read, in whole or in part. */
  by_sequencing?: BySequencing;
  /** The pattern of fragments was compared with the expected one. */
  by_fingerprinting?: ByFingerprinting;
}

/** By intact mass. The mass of the whole molecule was measured. */
export interface ByIntactMass {
  /** How the mass was measured. */
  method: "Mass spectrometry" | "SDS-PAGE";
  /** How far the measured mass lies from the calculated one. */
  deviation_from_expected_mass: MolecularWeight;
}

/** By sequencing. The sequence was read, in whole or in part. */
export interface BySequencing {
  /** How the sequence was read. */
  method:
    | "Mass spectrometry-Mass spectrometry"
    | "Edman degradation"
    | "Sanger sequencing"
    | "Next generation sequencing";
  /** How much of the sequence was read, in percent. From 0 to 100. */
  coverage: number;
}

/** By fingerprinting. The pattern of fragments was compared with the expected one. */
export interface ByFingerprinting {
  /** How the fragments were made and looked at. */
  method: "Protease digest + Mass spectrometry" | "Restriction enzyme digest + Gel electrophoresis";
}

/** Homogeneity. Whether all particles of the sample are alike. */
export type Homogeneity = AssessedHomogeneity | NotAssessed;

/** Measured homogeneity. How the homogeneity was measured, and what was seen. */
export interface AssessedHomogeneity {
  assessed: "Yes";
  /** How the homogeneity was measured. */
  method:
    | "Dynamic light scattering"
    | "Size exclusion chromatography"
    | "Native Gel Electrophoresis"
    | "Mass photometry";
  /**
   * Expected species. How many kinds of particles there should be, such as 2 for monomer and dimer. A whole number.
   * At least 1.
   */
  expected_number_of_species: number;
  /** Observed species. How many kinds of particles the measurement showed. A whole number. At least 1. */
  number_of_species_observed: number;
}
