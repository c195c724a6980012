import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type JsonObject } from "../../core/json.js";

/**
 * Takes off an item of an authority what the vocabulary does not declare: a catalog of one's own may take less than
 * there is.
 * @param onLeftOut hears what was taken off, in words
 */
export function declaredOnly(
  vocabulary: Pick<Vocabulary, "props" | "hierarchy">,
  item: JsonObject,
  onLeftOut: (what: string) => void = () => undefined,
): JsonObject {
  const { props, parent } = item;
  const given = isObject(props) ? Object.entries(props) : [];
  const taken = given.filter(([name]) => vocabulary.props.some((prop) => prop.name === name));
  if (taken.length < given.length) {
    for (const each of given) if (!taken.includes(each)) onLeftOut(`values of the prop "${each[0]}", not declared`);
  }
  const hasNoPlace = parent !== undefined && !vocabulary.hierarchy;
  if (hasNoPlace) onLeftOut("parents: the vocabulary has no hierarchy");
  // So it mostly is, and there are millions.
  const isSame = taken.length === given.length && (given.length > 0 || props === undefined);
  if (isSame && !hasNoPlace) return item;
  const { props: _, parent: __, ...rest } = item;
  return {
    ...rest,
    ...(given.length === 0 ? {} : { props: taken.length === given.length ? props! : Object.fromEntries(taken) }),
    ...(parent !== undefined && vocabulary.hierarchy ? { parent } : {}),
  };
}
