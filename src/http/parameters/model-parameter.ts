/** Hints for requests with `model=`. No search has this parameter, because the path names the model. */
import type { Catalog } from "../../core/catalog/types.js";
import type { Meant } from "./parameter-reader.js";
import type { Query } from "./query-string.js";

/**
 * Returns a hint with the path that searches the records of the model.
 * @param searched the model in the path of this request
 */
export function meantModel(
  query: Query,
  { models }: Catalog,
  { model: searched, root }: { readonly model: string | undefined; readonly root: string },
): Meant {
  const names = [...models.keys()];
  const sent = query.get("model")?.[0]?.trim().toLowerCase() ?? "";
  const model = [...models.values()].find(({ name, title }) => [name, title.toLowerCase()].includes(sent))?.name;
  if (model !== undefined && model === searched) {
    return { hint: `The path names the model ${model} already.`, nearest: [`${root}/${model}/`] };
  }
  const here = searched === undefined ? "" : ` This path searches ${searched}.`;
  const hint = `Search the records of one model at ${root}/${model ?? "<model>"}/; the models are ${names.join(", ")}.`;
  return { hint: hint + here, nearest: (model === undefined ? names : [model]).map((name) => `${root}/${name}/`) };
}
