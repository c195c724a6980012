import type { Authority } from "../../ports/authorities.js";
import { badParameter } from "../input/issues.js";

/** @throws PARAMETER_INVALID naming those that there are */
export function findAuthority(authorities: ReadonlyMap<string, Authority>, name: string): Authority {
  const found = authorities.get(name);
  if (found !== undefined) return found;
  const known = [...authorities.keys()];
  throw badParameter("authority", `There is no authority "${name}"; those are ${known.join(", ")}.`, name, known);
}
