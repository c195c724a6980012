// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited, Referred } from "./citations.js";
import type { Step, Storage } from "./protocols.js";
import type { QualityControls } from "./quality.js";
import type { Concentration, Location, MolecularWeight, Size } from "./quantities.js";

/** Molecule. A substance whose properties or interactions were measured. */
export type Entity = AnyKind & {
  /** A short id of your choice by which the rest of the record refers to it, such as lysozyme. */
  id: string;
  /** The name of the substance, such as human haemoglobin. */
  name: string;
};

/** Kind of substance. The fields of each kind of substance. */
export type AnyKind = Polymer | Chemical | Assembly | Biological | Environmental | ChemicalOrigin | Industrial;

/** Biopolymer. A chain molecule, such as a protein or a nucleic acid. */
export interface Polymer {
  type: "Polymer";
  /** Kind of biopolymer. The kind of chain; ordinary proteins are polypeptide(L). */
  polymer_type:
    | "cyclic-pseudo-peptide"
    | "peptide nucleic acid"
    | "polydeoxyribonucleotide"
    | "polydeoxyribonucleotide/polyribonucleotide hybrid"
    | "polypeptide(D)"
    | "polypeptide(L)"
    | "polyribonucleotide";
  /** The residues in one-letter code, from the N-terminus or the 5' end. */
  sequence?: string;
  /** The molecular weight of one chain; -1 as the value if it is not known. */
  molecular_weight: MolecularWeight;
  /**
   * Entries in other databases, with the database as prefix, such as uniprot:P69905 or pdb:2HCO. At least 1 item.
   */
  external_databases?: string[];
  /** The difference from the wild type, such as E6V. */
  variant?: string;
  /** The organism that the sequence comes from. Cites organisms. */
  source_organism?: Cited<"organisms", "rank">;
  /** Origin. Whether it was isolated from nature, made by a host, or synthesised. */
  expression_source_type: "Natively" | "Recombinantly" | "Synthetically";
  /** The organism whose cells produced it, such as Escherichia coli. Cites organisms. */
  expression_organism?: Cited<"organisms", "rank">;
  /** Modifications of the chain, grouped by the time when they were made. */
  modifications?: PolymerModifications;
  /** Quality checks of the sample before the measurement. */
  quality_controls?: QualityControls;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Modifications of a biopolymer. Modifications of the chain, grouped by the time when they were made. */
export interface PolymerModifications {
  /** During synthesis. Modifications introduced during synthesis, such as labelled residues. At least 1 item. */
  synthesis?: Modification[];
  /** By the cell. Modifications made by the producing cell, such as glycosylation. At least 1 item. */
  biological_postprocessing?: Modification[];
  /** By chemistry. Modifications made in the laboratory, such as coupling to a dye. At least 1 item. */
  chemical?: Modification[];
}

/** Modification. A single modification of the molecule. */
export interface Modification {
  /** The position in the molecule, such as Cys145 or N-terminus. */
  position?: string;
  /** Type of change. The kind of modification, such as Biotinylation. */
  type: string;
  /** The steps of the modification, in order. At least 1 item. */
  protocol?: Step[];
}

/** Chemical. A small molecule or a salt. */
export interface Chemical {
  type: "Chemical";
  /** Compound. The compound, cited by its InChIKey. Cites chemicals. */
  basic_information: Cited<"chemicals", "chemical_formula" | "molecular_weight" | "additional_identifiers">;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Molecular assembly. Several molecules in known numbers that form a complex. */
export interface Assembly {
  type: "Molecular assembly";
  /**
   * Entries in other databases, with the database as prefix, such as uniprot:P69905 or pdb:2HCO. At least 1 item.
   */
  external_databases?: string[];
  /** The molecules of which the assembly consists. At least 1 item. */
  components: Component[];
  /** The molecular weight of the whole assembly; -1 as the value if it is not known. */
  molecular_weight: MolecularWeight;
  /** Modifications of the assembly as a whole, such as crosslinks. At least 1 item. */
  chemical_modifications?: Modification[];
  /** Quality checks of the sample before the measurement. */
  quality_controls?: QualityControls;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Component. One part of an assembly. */
export type Component = {
  /** The name of the component, such as an alpha chain. */
  name: string;
  /** The number of copies in one assembly; -1 if it is not known. At least 0. */
  copy_number: number;
} & (Polymer | Chemical);

/** Complex substance of biological origin. A mixture that was taken from an organism. */
export type Biological = {
  type: "Complex substance of biological origin";
  /** The organism that the sample was taken from. Cites organisms. */
  source_organism: Cited<"organisms", "rank">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was stored between preparation and use. */
  storage?: Storage;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
} & (BodyFluid | CellFraction | Virion | SolidTissueSample);

/** Body fluid. A sample of a body fluid. */
export interface BodyFluid {
  derived_from: "Body fluid";
  /** The type of fluid, such as blood serum. Cites body_fluids. */
  fluid: Cited<"body_fluids">;
  /** Healthy, or the disease of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Cell fraction. A part of cells, such as membranes or nuclei. */
export interface CellFraction {
  derived_from: "Cell fraction";
  /** The part of the cells, such as membranes. Cites cell_fractions. */
  fraction: Cited<"cell_fractions">;
  /** The organ that the cells come from. */
  organ?: string;
  /** The tissue that the cells come from. */
  tissue?: string;
  /** The type of the cells, or the name of the cell line. */
  cell_type?: string;
  /** Healthy, or the disease of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Virion. Whole virus particles. */
export interface Virion {
  derived_from: "Virion";
  /** The genetic material inside the particle. */
  genetic_material: "No genetic material" | "Virus genome" | "Synthetic";
  /** Capsid. Whether the protein shell is present, and where it comes from. */
  capsid_type: "None" | "Native" | "Genetically Engineered" | "Synthetic";
  /** Envelope. Whether the outer membrane is present, and where it comes from. */
  envelope_type: "None" | "Native" | "Genetically Engineered" | "Synthetic";
  /** The organism in whose cells the virus was grown. Cites organisms. */
  host_organism?: Cited<"organisms", "rank">;
  /** The cells in which the virus was grown, such as Vero E6. */
  host_cell_type?: string;
}

/** Solid tissue sample. A piece of an organ. */
export interface SolidTissueSample {
  derived_from: "Solid tissue sample";
  /** The organ that the piece was taken from. */
  organ: string;
  /** Homogenised. True if the tissue was homogenised before the measurement. */
  homogenized: boolean;
  /** Healthy, or the disease of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Complex substance of environmental origin. A mixture that was collected in nature, such as soil or seawater. */
export interface Environmental {
  type: "Complex substance of environmental origin";
  /** Type of environment. The natural environment of the sample, such as a lake. Cites environment_types. */
  environment_type: Cited<"environment_types">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** Place of collection. The geographic location where the sample was taken. */
  location: Location;
  /** How the sample was stored between preparation and use. */
  storage?: Storage;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Complex substance of chemical origin. A mixture that was prepared from chemicals. */
export type ChemicalOrigin = {
  type: "Complex substance of chemical origin";
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was stored between preparation and use. */
  storage?: Storage;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
} & LipidAssembly;

/** Lipid assembly. Assemblies of lipids, such as liposomes. */
export interface LipidAssembly {
  class: "Lipid assembly";
  /** Form. The form of the assembly, such as a liposome. */
  assembly_type: "Micelle" | "Liposome" | "Nanodisc" | "Sheet";
  /** The lipids and other molecules of which it consists. At least 1 item. */
  components: Component[];
  /** Monolayers. The number of lipid monolayers, 2 in a simple bilayer; -1 if it is not known. A whole number. */
  number_of_mono_layers?: number;
  /** The size of the particles. */
  size?: Size;
}

/**
 * Complex substance of industrial origin. A mixture that is manufactured as a product, such as a drug formulation.
 */
export interface Industrial {
  type: "Complex substance of industrial origin";
  /** The type of product. Cites products. */
  product: Cited<"products">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was stored between preparation and use. */
  storage?: Storage;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Buffer. A solution in which molecules were measured. */
export interface ChemicalEnvironment {
  /** A short id of your choice by which the rest of the record refers to it, such as buffer-1. */
  id: string;
  /** The name of the solution, such as Measurement buffer. */
  name: string;
  /** The liquid or liquids in which everything else is dissolved. At least 1 item. */
  solvent: Solvent[];
  /** Components. Salts, buffers, detergents and other things in the solution. At least 1 item. */
  constituents?: Constituent[];
  /** pH. The pH of the solution, such as 7.4. */
  ph: number;
  /** Other information that readers need, one remark per entry. At least 1 item. */
  additional_specifications?: string[];
}

/** Solvent. A liquid from which the solution was made. */
export type Solvent = {
  /** The name of the liquid, such as water. */
  name: string;
  /** The fraction of the solvent, such as 100 v/v %. */
  concentration: Concentration;
} & Chemical;

/** Component. Something dissolved in the solution, such as a salt or a detergent. */
export type Constituent = AnyKind & {
  /** The name of the substance, such as sodium chloride. */
  name: string;
  /** The concentration in the solution. */
  concentration: Concentration;
};

/** Molecule. The id of a molecule of this record. Refers to general_parameters.entities_of_interest. */
export type EntityReference = Referred<"name">;

/** Ligand. The molecule that is bound to the surface, and how. */
export interface LigandInformation {
  /** Molecule. The id of the molecule that is bound to the surface. */
  entity?: EntityReference;
  /** Immobilisation chemistry. The method of attachment to the surface, such as amine coupling. */
  immobilization_chemistry?: string;
  /** Immobilisation protocol. The steps of the immobilisation, in order. At least 1 item. */
  immobilization_protocol?: Step[];
}

/** Buffer. The id of a buffer of this record. Refers to general_parameters.chemical_environments. */
export type EnvironmentReference = Referred<"name">;

/** Amount of a molecule. A molecule and its concentration. */
export interface Amount {
  /** Molecule. The id of the molecule. */
  entity: EntityReference;
  /** The concentration of the molecule. */
  concentration: Concentration;
}
