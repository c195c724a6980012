import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { compoundItem, INCHI_KEY } from "../compound.js";
import { objectAt, textAt } from "../dump-documents.js";
import { compoundsIn } from "../pubchem-json.js";
import { bareId, type JsonAnswer, type LiveSource, MISSING, NOTHING, parseObject, WrongAnswer } from "./live-source.js";

/** Properties of a compound that are requested. Synonyms are not properties; dumps have them. */
const PROPERTIES = "InChIKey,Title,MolecularFormula,MolecularWeight,SMILES,InChI,IUPACName";

/**
 * PUG-REST of PubChem: `/rest/pug/compound/inchikey/<key>/property/.../JSON`, and by name or CID. It has no search by
 * words: a text finds the compound with this name, InChIKey or CID. An unknown one is a 404 with a `Fault` whose code
 * is `PUGREST.NotFound`. Several compounds may have one InChIKey: the first one counts.
 * @see https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest
 */
export const pubchemLive: LiveSource = {
  name: "pubchem",
  title: "PubChem",
  ids: /^inchikey:[A-Z]{14}-[A-Z]{10}-[A-Z]$/,
  perSecond: 5,
  async find(get, id) {
    const [item] = readItems(await get(["rest", "pug", "compound", "inchikey", bareId(id), ...PROPERTY_PATH]));
    return item === undefined ? MISSING : { kind: "found", item };
  },
  async search(get, text, page) {
    // A text without letters and digits is not a name.
    if (!/[\p{L}\p{N}]/u.test(text)) return NOTHING;
    const [namespace, value] = interpretText(text);
    const answer = await get(["rest", "pug", "compound", namespace, value, ...PROPERTY_PATH]);
    const items = readItems(answer);
    if (items.length === 0) return NOTHING;
    const start = (page - 1) * LIMITS.lookupPageSize;
    return { items: items.slice(start, start + LIMITS.lookupPageSize), total: items.length };
  },
};

const PROPERTY_PATH = ["property", PROPERTIES, "JSON"];

/** Interprets a text: `962`, `cid:962`, an InChIKey with or without its prefix, or a name. */
function interpretText(text: string): readonly [namespace: string, value: string] {
  const bare = text.trim().replace(/^(?:inchikey|cid):/i, "");
  if (INCHI_KEY.test(bare)) return ["inchikey", bare];
  return /^[1-9]\d{0,9}$/.test(bare) ? ["cid", bare] : ["name", text.trim()];
}

/** Returns the terms of an answer, each InChIKey once; none if there is no such compound. */
function readItems(answer: JsonAnswer): readonly JsonObject[] {
  const body = parseObject(answer);
  if (answer.status !== 200) {
    const fault = textAt(objectAt(body, "Fault"), "Code") ?? "";
    // A malformed name is the name of no compound.
    if (fault === "PUGREST.NotFound" || fault === "PUGREST.BadRequest") return [];
    throw new WrongAnswer('a refusal of PUG-REST has a "Fault"');
  }
  const items = new Map<string, JsonObject>();
  for (const entry of compoundsIn(body)) {
    if (!("compound" in entry)) throw new WrongAnswer(entry.reason);
    const { inchiKey } = entry.compound;
    if (INCHI_KEY.test(inchiKey) && !items.has(inchiKey)) items.set(inchiKey, compoundItem(entry.compound).item);
  }
  return [...items.values()];
}
