// Made from the catalog by `npm run docs`; change the schemas there.

import type { Referred } from "../citations.js";
import type { EntityReference } from "./entities.js";
import type { ConcentrationUnit, EnergyUnit, MolecularWeightUnit, ValueError } from "./quantities.js";

/** Result. One number that came out, and what it is about. */
export type Result = {
  /** A short name of your own by which the rest of the record refers to it, such as kd-1. */
  id: string;
  /** What the result is called, such as KD of haemoglobin and haptoglobin. */
  name: string;
  /** The entities of interest that the result is about. At least 1 item. */
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

/** Entity involved. An entity of interest, and how often it takes part. */
export interface InvolvedEntity {
  /** Which of the entities of interest takes part, by its id. */
  entity: EntityReference;
  /** How many of it take part, such as 2 in a dimer; -1 if it is not known. At least 0. */
  copy_number: number;
}

/** Concentration. How much of an entity a sample holds. */
export interface ConcentrationResult {
  type: "Concentration";
  /** The concentration that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: ConcentrationUnit;
}

/** Stoichiometry. How many of each entity hold together; the copy numbers say it. */
export interface Stoichiometry {
  type: "Stoichiometry";
}

/** Constant of association KA. How strongly the entities bind; the inverse of KD. */
export interface AssociationConstant {
  type: "Constant of association KA";
  /** The association constant that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: "M^-1" | "M^-2" | "mM^-1" | "mM^-2" | "µM^-1" | "µM^-2" | "nM^-1" | "nM^-2";
}

/** Constant of dissociation KD. How weakly the entities bind; small means strong. */
export interface DissociationConstant {
  type: "Constant of dissociation KD";
  /** The dissociation constant that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: "M" | "M^2" | "mM" | "mM^2" | "µM" | "µM^2" | "nM" | "nM^2";
}

/** Half maximal effective concentration EC50. At which concentration half of the greatest effect is reached. */
export interface EffectiveConcentration {
  type: "Half maximal effective concentration EC50";
  /** The EC50 that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: ConcentrationUnit;
}

/** Hill coefficient. Whether one binding helps the next: above 1 it does, below 1 it hinders. */
export interface HillCoefficient {
  type: "Hill coefficient";
  /** The Hill coefficient that was found. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** A Hill coefficient is a plain number. */
  unit: "unitless";
}

/** Association rate kOn. How fast the entities bind. */
export interface AssociationRate {
  type: "Association rate kOn";
  /** The rate constant of binding that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
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

/** Dissociation rate kOff. How fast the entities come apart. */
export interface DissociationRate {
  type: "Dissociation rate kOff";
  /** The rate constant of coming apart that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: "s^-1";
}

/** Change in enthalpy deltaH. Heat that binding takes up; negative if it gives heat off. */
export interface Enthalpy {
  type: "Change in enthalpy deltaH";
  /** The change in enthalpy that was found. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: EnergyUnit;
}

/** Change in entropy deltaS. How much disorder binding brings. */
export interface Entropy {
  type: "Change in entropy deltaS";
  /** The change in entropy that was found. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: "kcal/molK" | "kJ/molK";
}

/** Change in Gibbs free energy deltaG. Work that binding could do; negative if it happens by itself. */
export interface FreeEnergy {
  type: "Change in Gibbs free energy deltaG";
  /** The change in free energy that was found. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: EnergyUnit;
}

/** Molecular weight. How heavy a molecule or a complex was found to be. */
export interface MolecularWeightResult {
  type: "Molecular weight";
  /** The molecular weight that was found. At least 0. */
  value: number;
  /** Error. How far the true value may lie from the one given. */
  value_error?: ValueError;
  /** What the number counts. */
  unit: MolecularWeightUnit;
}

/** Result. A result of this record, by its id. Refers to general_parameters.results. */
export type ResultReference = Referred<"name">;
