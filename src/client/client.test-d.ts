/** What the compiler must refuse and must know; `npm run types` runs it. */
import {
  type Amount,
  type AnyRecord,
  type Client,
  createClient,
  type Entity,
  type ItcMetadata,
  type MstMeasurement,
  type MstMetadata,
  type Received,
  type RecordOf,
  type Result,
  type Storage,
} from "./index.js";

declare function takes<T>(value: T): void;
/** Compiles only where both types are the same. */
declare function same<A, B>(
  ...isSame: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]
): void;

const kd: Result = {
  id: "kd",
  name: "KD of lysozyme",
  type: "Constant of dissociation KD",
  value: 12.5,
  unit: "nM",
  entities_involved: [{ entity: { id: "lysozyme" }, copy_number: 1 }],
};
const water: Entity = {
  id: "water",
  name: "Water",
  type: "Chemical",
  basic_information: { id: "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N" },
};
const serum: Entity = {
  id: "serum",
  name: "Serum",
  type: "Complex substance of biological origin",
  source_organism: { id: "taxid:9606" },
  preparation_protocol: [{ name: "Clotting", description: "Left for an hour." }],
  derived_from: "Body fluid",
  fluid: { id: "cf:2" },
  health_status: "Healthy",
};

// Enumerations are the texts that the schema names.
// @ts-expect-error: no unit of a dissociation constant
takes<Result>({ ...kd, unit: "s^-1" });
// @ts-expect-error: not a unit of temperature
takes<Storage>({ temperature: { value: -80, unit: "C" }, storage_preparation: [] });

// What must be there must be there.
// @ts-expect-error: no concentration
takes<Amount>({ entity: { id: "water" } });
// @ts-expect-error: a Chemical needs basic_information
takes<Entity>({ id: "water", name: "Water", type: "Chemical" });
// @ts-expect-error: without a type nothing is chosen
takes<Entity>({ id: "water", name: "Water", basic_information: { id: "inchikey:X" } });

// A field belongs to its alternative, at every level of choice.
// @ts-expect-error: sequence is one of a Polymer
takes<Entity>({ ...water, type: "Chemical", basic_information: { id: "inchikey:X" }, sequence: "MKV" });
takes<Entity>({
  id: "serum",
  name: "Serum",
  type: "Complex substance of biological origin" as const,
  source_organism: { id: "taxid:9606" },
  preparation_protocol: [],
  health_status: "Healthy",
  derived_from: "Body fluid",
  fluid: { id: "cf:2" },
  // @ts-expect-error: homogenized is one of a solid tissue sample
  homogenized: true,
});
// @ts-expect-error: a Stoichiometry has no value
takes<Result>({ id: "n", name: "n", type: "Stoichiometry", entities_involved: [], value: 2 });

// A choice narrows.
if (serum.type === "Complex substance of biological origin" && serum.derived_from === "Body fluid") {
  takes<string>(serum.fluid.id);
  // @ts-expect-error: of a virion
  takes<string>(serum.capsid_type);
}

// One cites by the id alone, and reads title and copied props.
// @ts-expect-error: a term is an object
takes<Entity>({ ...water, type: "Chemical", basic_information: "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N" });
declare const read: Received<Entity>;
if (read.type === "Chemical") {
  takes<string>(read.basic_information["@v"]);
  takes<string | undefined>(read.basic_information.title.en);
  takes<string | undefined>(read.basic_information.chemical_formula);
  // @ts-expect-error: not one of the copied props
  takes<string>(read.basic_information.rank);
}
// @ts-expect-error: what one sends need not have a title
takes<string>(water.basic_information.title);
declare const measurements: Received<MstMeasurement>[];
same<(typeof measurements)[number]["sample"]["targets"][number]["entity"], { id: string } & { name?: string }>();

// What was read can be changed and sent back.
declare const record: RecordOf<"mst">;
record.metadata.general_parameters.entities_of_interest.push(read);
record.metadata.general_parameters.record_information.title = "Another";
takes<MstMetadata>(record.metadata);
// @ts-expect-error: the service's own
record.revision_id = 7;

// The client knows its models and vocabularies.
const bindery: Client = createClient({ url: "https://records.example.org" });
same<Awaited<ReturnType<typeof bindery.read>>, AnyRecord>();
// @ts-expect-error: there is no such model
bindery.model("nmr");
// @ts-expect-error: metadata of another model
bindery.model("mst").deposit({} as ItcMetadata);
bindery.search({ sort: "-kd", facets: ["kd", "organism"], facetBins: "kd:12", ids: ["zv0gv-btp27"] });
// @ts-expect-error: no sort of terms
bindery.vocabulary("chemicals").search({ sort: "kd" });
bindery.model("mst").search({ q: "lysozyme", filters: { year: ["2023", "2024"] }, sort: "newest", allVersions: true });
async function knows(): Promise<void> {
  const hit = await bindery.read("zv0gv-btp27");
  if (hit.model === "itc") takes<MethodsOf<"itc">>(hit.metadata.method_specific_parameters);
  const { props } = await bindery.vocabulary("chemicals").get("inchikey:X");
  takes<number | undefined>(props.molecular_weight?.value);
  // @ts-expect-error: chemicals have no rank
  takes<string>(props.rank);
  takes<unknown>((await bindery.vocabulary("our_own").get("x:1")).props.anything);
}
type MethodsOf<Name extends "itc"> = RecordOf<Name>["metadata"]["method_specific_parameters"];
void knows;

// Models of one's own catalog are told to the client.
interface NmrMetadata {
  title: string;
  organism: { id: string };
}
const ours = createClient<{ nmr: NmrMetadata }>({ url: "https://records.example.org" });
ours.model("nmr").deposit({ title: "A spectrum", organism: { id: "taxid:562" } });
// @ts-expect-error: no organism
ours.model("nmr").deposit({ title: "A spectrum" });
