/** Answers about molecules. */
import { type TSchema, Type } from "typebox";
import { type Answer, count, instant, link, ref, text } from "../answer.js";
import { Warnings } from "../issue.js";
import { Aggregation } from "./searches.js";

const records = (what: string) => count(`Number of records ${what}.`);

const NAME = text("The name that most records use.", ["Hen egg-white lysozyme"]);

const MOLECULE_ID = text("Id of the molecule; its page and its data are at this id.", ["uniprot:P00698"]);

export const MoleculeFigure = Type.Object(
  {
    quantity: text("Name of the quantity in queries.", ["kd"]),
    value: Type.Number({ description: "As deposited, or in the canonical unit if it is derived." }),
    unit: Type.Optional(text("Its unit.", ["nM"])),
    error: Type.Optional(
      Type.Object({
        lower: Type.Number(),
        upper: Type.Number(),
        is_relative: Type.Optional(Type.Literal(true, { description: "Both are fractions of the number." })),
      }),
    ),
    derived: Type.Optional(Type.Literal(true, { description: "The record does not state the number." })),
    from: Type.Optional(
      Type.Array(Type.String(), { description: "Names of the quantities from which it is derived." }),
    ),
  },
  { $id: "MoleculeFigure", description: "The best number of a quantity." },
);
export type MoleculeFigure = Answer<typeof MoleculeFigure>;

export const MoleculePartner = Type.Object(
  {
    id: Type.Optional(MOLECULE_ID),
    name: NAME,
    records: records("with results about both molecules"),
    best: Type.Optional(ref(MoleculeFigure)),
  },
  { $id: "MoleculePartner", description: "A molecule that was measured together with this one." },
);
export type MoleculePartner = Answer<typeof MoleculePartner>;

export const MoleculeResult = Type.Object(
  {
    record: text("Id of the record.", ["zv0gv-btp27"]),
    model: text("Name of its model.", ["mst"]),
    title: text("Title of the record."),
    created: instant("When the record was published."),
    with: Type.Array(Type.Object({ id: Type.Optional(MOLECULE_ID), name: Type.String() }), {
      description: "The other molecules that the results are about.",
    }),
    figures: Type.Array(ref(MoleculeFigure), { description: "At most one number of each quantity." }),
  },
  { $id: "MoleculeResult", description: "Results of a record about the same molecules." },
);
export type MoleculeResult = Answer<typeof MoleculeResult>;

const countedList = <Members extends Record<string, TSchema>>(description: string, members: Members) =>
  Type.Array(Type.Object({ ...members, records: records("that say so") }), { description });

const properties = {
  id: MOLECULE_ID,
  name: NAME,
  records: records("that a search for the molecule finds"),
  read: count("Number of records, the newest first, from which everything else was read, except for the aggregations."),
  names: countedList("Names that records use, the most used one first.", { name: Type.String() }),
  identifiers: countedList("Other ids of the same molecule in these records.", {
    id: Type.String(),
    url: Type.Optional(link("Page of the register about it.")),
  }),
  organisms: countedList("Organisms that it comes from.", { id: Type.Optional(Type.String()), name: Type.String() }),
  variants: countedList("Mutants and other variants, as the records name them.", { name: Type.String() }),
  sequences: countedList("Sequences, the most used one first.", { sequence: Type.String() }),
  models: countedList("Models of the records.", { name: Type.String(), title: Type.String() }),
  partners: Type.Array(ref(MoleculePartner), { description: "The most frequent one first." }),
  results: Type.Array(ref(MoleculeResult), { description: "The best numbers of the first quantity come first." }),
  aggregations: Type.Record(Type.String(), ref(Aggregation), {
    description: "Counts over all records, as in a search.",
  }),
};

/** The answer without its links. */
const MoleculeContent = Type.Object({
  ...properties,
  term: Type.Optional(
    Type.Object(
      { vocabulary: Type.String(), id: Type.String() },
      { description: "The term of a vocabulary that has the same id." },
    ),
  ),
});
export type MoleculeContent = Answer<typeof MoleculeContent>;

export const Molecule = Type.Object(
  {
    ...MoleculeContent.properties,
    links: Type.Object({
      self: link("This molecule."),
      self_html: link("Its page, for people."),
      records: link("The search for its records."),
      register: Type.Optional(link("Page of the register about it.")),
      term: Type.Optional(link("The term with the same id.")),
    }),
    warnings: Warnings,
  },
  { $id: "Molecule", description: "A molecule, and what published records say about it." },
);
export type Molecule = Answer<typeof Molecule>;
