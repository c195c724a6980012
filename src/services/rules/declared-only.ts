import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { cleaned } from "../input/characters.js";

/**
 * Removes from an item of an authority what the vocabulary does not declare: a catalog of one's own may take less than
 * there is. Characters that no text may hold become blanks: one of them must not keep out a dump of millions of items.
 * @param onLeftOut is called with what was removed, in words
 */
export function declaredOnly(
  vocabulary: Pick<Vocabulary, "props" | "hierarchy">,
  item: JsonObject,
  onLeftOut: (what: string) => void = () => undefined,
): JsonObject {
  return cleanTexts(declaredPart(vocabulary, item, onLeftOut)) as JsonObject;
}

/** Returns the same value if there is nothing to clean, as mostly. */
function cleanTexts(value: Json): Json {
  if (typeof value === "string") return cleaned(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => cleanTexts(item));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  let changed: JsonObject | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const clean = cleanTexts(inner);
    if (clean !== inner) changed = { ...(changed ?? value), [key]: clean };
  }
  return changed ?? value;
}

function declaredPart(
  vocabulary: Pick<Vocabulary, "props" | "hierarchy">,
  item: JsonObject,
  onLeftOut: (what: string) => void,
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
