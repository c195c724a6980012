import { AUTHORITIES } from "../../authorities/index.js";
import type { Authority } from "../../ports/authorities.js";

/** Properties of an authority that the command line shows. */
type ListedAuthority = Pick<Authority, "name" | "title" | "vocabulary" | "takes" | "url" | "licence">;

/** Lists all authorities whose dumps can be loaded, by name. Needs no store. */
export function listAuthorities(): readonly ListedAuthority[] {
  return [...AUTHORITIES.values()].map(({ name, title, vocabulary, takes, url, licence }) => ({
    name,
    title,
    vocabulary,
    takes,
    url,
    licence,
  }));
}
