// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited, Referred } from "../citations.js";
import type { Step, Storage } from "./protocols.js";
import type { QualityControls } from "./quality.js";
import type { Concentration, Location, MolecularWeight, Size } from "./quantities.js";

/** Entity. A substance whose properties or interactions were measured. */
export type Entity = AnyKind & {
  /** A short name of your own by which the rest of the record refers to it, such as lysozyme. */
  id: string;
  /** What the substance is called, such as human haemoglobin. */
  name: string;
};

/** Kind of substance. What is said of a substance by its kind. */
export type AnyKind = Polymer | Chemical | Assembly | Biological | Environmental | ChemicalOrigin | Industrial;

/** Polymer. A chain molecule, such as a protein or a nucleic acid. */
export interface Polymer {
  type: "Polymer";
  /** Which kind of chain it is; ordinary proteins are polypeptide(L). */
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
  /** How heavy one chain is; -1 as the value if it is not known. */
  molecular_weight: MolecularWeight;
  /** Entries elsewhere, with the database, such as uniprot:P69905 or pdb:2HCO. At least 1 item. */
  external_databases?: string[];
  /** How it differs from the wild type, such as E6V. */
  variant?: string;
  /** The organism that the sequence comes from. Cites organisms. */
  source_organism?: Cited<"organisms", "rank">;
  /** Origin. Whether it was isolated from nature, made by a host, or synthesised. */
  expression_source_type: "Natively" | "Recombinantly" | "Synthetically";
  /** The organism whose cells made it, such as Escherichia coli. Cites organisms. */
  expression_organism?: Cited<"organisms", "rank">;
  /** Changes of the chain, by when they were made. */
  modifications?: PolymerModifications;
  /** Checks of the sample before it was measured. */
  quality_controls?: QualityControls;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Modifications of a polymer. Changes of the chain, by when they were made. */
export interface PolymerModifications {
  /**
   * During synthesis. Changes that were built in as the chain was made, such as labelled residues. At least 1 item.
   */
  synthesis?: Modification[];
  /** By the cell. Changes that the producing cell made, such as glycosylation. At least 1 item. */
  biological_postprocessing?: Modification[];
  /** By chemistry. Changes that were made in the laboratory, such as a dye that was coupled. At least 1 item. */
  chemical?: Modification[];
}

/** Modification. One change of the molecule. */
export interface Modification {
  /** Where in the molecule, such as Cys145 or N-terminus. */
  position?: string;
  /** Type of change. What was added, removed or altered, such as Biotinylation. */
  type: string;
  /** The steps by which the change was made, in order. At least 1 item. */
  protocol?: Step[];
}

/** Chemical. A small molecule or a salt. */
export interface Chemical {
  type: "Chemical";
  /** Compound. Which compound it is, by its InChIKey. Cites chemicals. */
  basic_information: Cited<"chemicals", "chemical_formula" | "molecular_weight" | "additional_identifiers">;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Molecular assembly. Several molecules that hold together in known numbers. */
export interface Assembly {
  type: "Molecular assembly";
  /** Entries elsewhere, with the database, such as uniprot:P69905 or pdb:2HCO. At least 1 item. */
  external_databases?: string[];
  /** The molecules that the assembly is made of. At least 1 item. */
  components: Component[];
  /** How heavy the whole assembly is; -1 as the value if it is not known. */
  molecular_weight: MolecularWeight;
  /** Changes that were made to the assembly as a whole, such as crosslinks. At least 1 item. */
  chemical_modifications?: Modification[];
  /** Checks of the sample before it was measured. */
  quality_controls?: QualityControls;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Component. One part of an assembly. */
export type Component = {
  /** What the component is called. */
  name: string;
  /** How often it occurs in one assembly; -1 if it is not known. At least 0. */
  copy_number: number;
} & (Polymer | Chemical);

/** Complex substance of biological origin. A mixture that was taken from an organism. */
export type Biological = {
  type: "Complex substance of biological origin";
  /** The organism that the sample was taken from. Cites organisms. */
  source_organism: Cited<"organisms", "rank">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was kept between preparation and use. */
  storage?: Storage;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
} & (BodyFluid | CellFraction | Virion | SolidTissueSample);

/** Body fluid. A sample of a fluid of the body. */
export interface BodyFluid {
  derived_from: "Body fluid";
  /** Which fluid it is, such as blood serum. Cites body_fluids. */
  fluid: Cited<"body_fluids">;
  /** Healthy, or the illness of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Cell fraction. A part of cells, such as membranes or nuclei. */
export interface CellFraction {
  derived_from: "Cell fraction";
  /** Which part of the cells it is. Cites cell_fractions. */
  fraction: Cited<"cell_fractions">;
  /** The organ that the cells come from. */
  organ?: string;
  /** The tissue that the cells come from. */
  tissue?: string;
  /** The type of the cells, or the name of the cell line. */
  cell_type?: string;
  /** Healthy, or the illness of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Virion. Whole virus particles. */
export interface Virion {
  derived_from: "Virion";
  /** What the particle carries inside. */
  genetic_material: "No genetic material" | "Virus genome" | "Synthetic";
  /** Capsid. Whether the protein shell is there, and where it comes from. */
  capsid_type: "None" | "Native" | "Genetically Engineered" | "Synthetic";
  /** Envelope. Whether the outer membrane is there, and where it comes from. */
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
  /** Homogenised. True if the tissue was ground or broken up before it was measured. */
  homogenized: boolean;
  /** Healthy, or the illness of the donor, such as Type 2 diabetes. */
  health_status: string;
}

/** Complex substance of environmental origin. A mixture that was collected in nature, such as soil or seawater. */
export interface Environmental {
  type: "Complex substance of environmental origin";
  /** Type of environment. Where in nature it was found, such as a lake. Cites environment_types. */
  environment_type: Cited<"environment_types">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** Place of collection. Where on Earth the sample was taken. */
  location: Location;
  /** How the sample was kept between preparation and use. */
  storage?: Storage;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Complex substance of chemical origin. A mixture that was put together from chemicals. */
export type ChemicalOrigin = {
  type: "Complex substance of chemical origin";
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was kept between preparation and use. */
  storage?: Storage;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
} & LipidAssembly;

/** Lipid assembly. Lipids that hold together, such as liposomes. */
export interface LipidAssembly {
  class: "Lipid assembly";
  /** Form. The shape in which the lipids hold together. */
  assembly_type: "Micelle" | "Liposome" | "Nanodisc" | "Sheet";
  /** The lipids and other molecules that it is made of. At least 1 item. */
  components: Component[];
  /** Monolayers. How many layers of lipid there are, 2 in a simple bilayer; -1 if not known. A whole number. */
  number_of_mono_layers?: number;
  /** How large the particles are. */
  size?: Size;
}

/** Complex substance of industrial origin. A mixture that is made as a product, such as a drug formulation. */
export interface Industrial {
  type: "Complex substance of industrial origin";
  /** Which kind of product it is. Cites products. */
  product: Cited<"products">;
  /** The steps from the source to the sample, in order. At least 1 item. */
  preparation_protocol: Step[];
  /** How the sample was kept between preparation and use. */
  storage?: Storage;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Chemical environment. A solution in which entities were measured. */
export interface ChemicalEnvironment {
  /** A short name of your own by which the rest of the record refers to it, such as buffer-1. */
  id: string;
  /** What the solution is called, such as Measurement buffer. */
  name: string;
  /** The liquid or liquids that everything else is dissolved in. At least 1 item. */
  solvent: Solvent[];
  /** Salts, buffers, detergents and other things in the solution. At least 1 item. */
  constituents?: Constituent[];
  /** pH. How acidic or basic the solution is, such as 7.4. */
  ph: number;
  /** Anything else that others need to know, one remark each. At least 1 item. */
  additional_specifications?: string[];
}

/** Solvent. A liquid that the solution is made with. */
export type Solvent = {
  /** What the liquid is called, such as water. */
  name: string;
  /** How much of the solvent it makes up, such as 100 v/v %. */
  concentration: Concentration;
} & Chemical;

/** Constituent. Something dissolved in the solution, such as a salt or a detergent. */
export type Constituent = AnyKind & {
  /** What the substance is called, such as sodium chloride. */
  name: string;
  /** How much of it there is in the solution. */
  concentration: Concentration;
};

/** Entity. An entity of interest of this record, by its id. Refers to general_parameters.entities_of_interest. */
export type EntityReference = Referred<"name">;

/** Ligand. What is bound to the surface, and how. */
export interface LigandInformation {
  /** Which of the entities of interest is bound to the surface, by its id. */
  entity?: EntityReference;
  /** Immobilisation chemistry. What holds it to the surface, such as amine coupling. */
  immobilization_chemistry?: string;
  /** Immobilisation protocol. The steps by which it was bound to the surface, in order. At least 1 item. */
  immobilization_protocol?: Step[];
}

/**
 * Chemical environment. A chemical environment of this record, by its id. Refers to
 * general_parameters.chemical_environments.
 */
export type EnvironmentReference = Referred<"name">;

/** Amount of an entity. An entity of interest, and how much of it there is. */
export interface Amount {
  /** Which of the entities of interest it is, by its id. */
  entity: EntityReference;
  /** How much of the entity there is. */
  concentration: Concentration;
}
