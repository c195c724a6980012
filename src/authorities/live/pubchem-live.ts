import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { compoundItem, INCHI_KEY } from "../compound.js";
import { objectAt, textAt } from "../dump-documents.js";
import { compoundsIn } from "../pubchem-json.js";
import { bareId, type JsonAnswer, type LiveSource, MISSING, NOTHING, objectIn, WrongAnswer } from "./live-source.js";

/** What is asked of a compound. Synonyms are no properties: those of a dump have them. */
const PROPERTIES = "InChIKey,Title,MolecularFormula,MolecularWeight,SMILES,InChI,IUPACName";

/**
 * PUG-REST of PubChem: `/rest/pug/compound/inchikey/<key>/property/.../JSON`, and by name or CID. It has no search by
 * words: what is found has the name, or is the compound with this InChIKey or CID. An unknown one is a 404 with a
 * `Fault` whose code is `PUGREST.NotFound`. Several compounds may have one InChIKey: the first one counts.
 * @see https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest
 */
export const pubchemLive: LiveSource = {
  name: "pubchem",
  title: "PubChem",
  ids: /^inchikey:[A-Z]{14}-[A-Z]{10}-[A-Z]$/,
  perSecond: 5,
  async find(get, id) {
    const [item] = compoundsOf(await get(["rest", "pug", "compound", "inchikey", bareId(id), ...WANTED]));
    return item === undefined ? MISSING : { kind: "found", item };
  },
  async search(get, text, page) {
    // What has neither letters nor digits is no name of anything.
    if (!/[\p{L}\p{N}]/u.test(text)) return NOTHING;
    const [namespace, value] = meaningOf(text);
    const answer = await get(["rest", "pug", "compound", namespace, value, ...WANTED]);
    const items = compoundsOf(answer);
    if (items.length === 0) return NOTHING;
    const start = (page - 1) * LIMITS.lookupPageSize;
    return { items: items.slice(start, start + LIMITS.lookupPageSize), total: items.length };
  },
};

const WANTED = ["property", PROPERTIES, "JSON"];

/** `962`, `cid:962`, an InChIKey with or without its prefix, or a name. */
function meaningOf(text: string): readonly [namespace: string, value: string] {
  const bare = text.trim().replace(/^(?:inchikey|cid):/i, "");
  if (INCHI_KEY.test(bare)) return ["inchikey", bare];
  return /^[1-9]\d{0,9}$/.test(bare) ? ["cid", bare] : ["name", text.trim()];
}

/** The items of an answer, each InChIKey once; none where there is no such compound. */
function compoundsOf(answer: JsonAnswer): readonly JsonObject[] {
  const body = objectIn(answer);
  if (answer.status !== 200) {
    const fault = textAt(objectAt(body, "Fault"), "Code") ?? "";
    // A name that is not fit to be one is no name of a compound.
    if (fault === "PUGREST.NotFound" || fault === "PUGREST.BadRequest") return [];
    throw new WrongAnswer('a refusal of PUG-REST has a "Fault"');
  }
  const items = new Map<string, JsonObject>();
  for (const found of compoundsIn(body)) {
    if (!("compound" in found)) throw new WrongAnswer(found.reason);
    const { inchiKey } = found.compound;
    if (INCHI_KEY.test(inchiKey) && !items.has(inchiKey)) items.set(inchiKey, compoundItem(found.compound).item);
  }
  return [...items.values()];
}
