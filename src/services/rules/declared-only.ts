import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { cleanLine } from "../input/characters.js";

/**
 * Removes undeclared data from an item of an authority, because a custom catalog may declare fewer props. Forbidden
 * characters become blanks, because one of them must not prevent the load of a dump with millions of items.
 * @param onLeftOut called with a description of removed data
 */
export function declaredOnly(
  vocabulary: Pick<Vocabulary, "props" | "hierarchy">,
  item: JsonObject,
  onLeftOut: (what: string) => void = () => undefined,
): JsonObject {
  return cleanTexts(declaredPart(vocabulary, item, onLeftOut)) as JsonObject;
}

/** Returns the same object if there is nothing to clean, which is the usual case. */
function cleanTexts(value: Json): Json {
  if (typeof value === "string") return cleanLine(value);
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
  const declared = given.filter(([name]) => vocabulary.props.some((prop) => prop.name === name));
  if (declared.length < given.length) {
    for (const entry of given) {
      if (!declared.includes(entry)) onLeftOut(`values of the prop "${entry[0]}", not declared`);
    }
  }
  const dropsParent = parent !== undefined && !vocabulary.hierarchy;
  if (dropsParent) onLeftOut("parents: the vocabulary has no hierarchy");
  // Most items need no copy, and a dump may have millions.
  const isSame = declared.length === given.length && (given.length > 0 || props === undefined);
  if (isSame && !dropsParent) return item;
  const { props: _, parent: __, ...rest } = item;
  return {
    ...rest,
    ...(given.length === 0 ? {} : { props: declared.length === given.length ? props! : Object.fromEntries(declared) }),
    ...(parent !== undefined && vocabulary.hierarchy ? { parent } : {}),
  };
}
