// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "./citations.js";
import type { EntityReference } from "./entities.js";
import type { ConcentrationUnit, EnergyUnit, MolecularWeightUnit, ValueError } from "./quantities.js";

/** Result. A numerical result, with the molecules to which it applies. */
export type Result = {
  /** A short id of your choice by which the rest of the record refers to it, such as kd-1. */
  id: string;
  /** The name of the result, such as KD of haemoglobin and haptoglobin. */
  name: string;
  /** Molecules involved. The molecules to which the result applies. At least 1 item. */
  entities_involved: InvolvedEntity[];
} & (
  | ConcentrationResult
  | Stoichiometry
  | AssociationConstant
  | DissociationConstant
  | EffectiveConcentration
  | HillCoefficient
  | AssociationRate
  | DissociationRate
  | Enthalpy
  | Entropy
  | FreeEnergy
  | MolecularWeightResult
);

/** Molecule involved. A molecule and its number of copies. */
export interface InvolvedEntity {
  /** Molecule. The id of the molecule that takes part. */
  entity: EntityReference;
  /** The number of copies that take part, such as 2 in a dimer; -1 if it is not known. At least 0. */
  copy_number: number;
}

/** Concentration. The concentration of a molecule in a sample. */
export interface ConcentrationResult {
  type: "Concentration";
  /** The measured concentration. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: ConcentrationUnit;
}

/** Stoichiometry. The number of copies of each molecule in the complex, given by the copy numbers. */
export interface Stoichiometry {
  type: "Stoichiometry";
}

/** Association constant KA. The association constant of the complex; the inverse of KD. */
export interface AssociationConstant {
  type: "Constant of association KA";
  /** The measured association constant. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: "M^-1" | "M^-2" | "mM^-1" | "mM^-2" | "µM^-1" | "µM^-2" | "nM^-1" | "nM^-2";
}

/** Dissociation constant KD. The dissociation constant of the complex; a small value means strong binding. */
export interface DissociationConstant {
  type: "Constant of dissociation KD";
  /** The measured dissociation constant. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: "M" | "M^2" | "mM" | "mM^2" | "µM" | "µM^2" | "nM" | "nM^2";
}

/** Half maximal effective concentration EC50. The concentration at which half of the maximal effect is reached. */
export interface EffectiveConcentration {
  type: "Half maximal effective concentration EC50";
  /** The measured EC50. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: ConcentrationUnit;
}

/** Hill coefficient. Cooperativity of binding: positive above 1, negative below 1. */
export interface HillCoefficient {
  type: "Hill coefficient";
  /** The measured Hill coefficient. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** A Hill coefficient has no unit. */
  unit: "unitless";
}

/** Association rate constant kOn. The rate constant of association. */
export interface AssociationRate {
  type: "Association rate kOn";
  /** The measured association rate constant. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit:
    | "M^-1 s^-1"
    | "M^-2 s^-1"
    | "mM^-1 s^-1"
    | "mM^-2 s^-1"
    | "µM^-1 s^-1"
    | "µM^-2 s^-1"
    | "nM^-1 s^-1"
    | "nM^-2 s^-1";
}

/** Dissociation rate constant kOff. The rate constant of dissociation. */
export interface DissociationRate {
  type: "Dissociation rate kOff";
  /** The measured dissociation rate constant. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: "s^-1";
}

/** Enthalpy change deltaH. The heat absorbed on binding; negative if heat is released. */
export interface Enthalpy {
  type: "Change in enthalpy deltaH";
  /** The measured change in enthalpy. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: EnergyUnit;
}

/** Entropy change deltaS. The change in entropy on binding. */
export interface Entropy {
  type: "Change in entropy deltaS";
  /** The measured change in entropy. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: "kcal/molK" | "kJ/molK";
}

/**
 * Gibbs free energy change deltaG. The change in Gibbs free energy on binding; negative if binding is spontaneous.
 */
export interface FreeEnergy {
  type: "Change in Gibbs free energy deltaG";
  /** The measured change in Gibbs free energy. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: EnergyUnit;
}

/** Molecular weight. The molecular weight of a molecule or a complex. */
export interface MolecularWeightResult {
  type: "Molecular weight";
  /** The measured molecular weight. At least 0. */
  value: number;
  /** Error. The uncertainty of the value. */
  value_error?: ValueError;
  /** The unit of the number. */
  unit: MolecularWeightUnit;
}

/** Result. The id of a result of this record. Refers to general_parameters.results. */
export type ResultReference = Referred<"name">;
