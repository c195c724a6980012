import { AUTHORITIES } from "../../authorities/index.js";
import type { Authority } from "../../ports/authorities.js";

/** What the command line tells of an authority. */
type ListedAuthority = Pick<Authority, "name" | "title" | "vocabulary" | "takes" | "url" | "licence">;

/** All authorities whose dumps can be loaded, by name. No store is needed to know them. */
export function listAuthorities(): readonly ListedAuthority[] {
  return [...AUTHORITIES.values()].map(({ name, title, vocabulary, takes, url, licence }) => ({
    ...{ name, title, vocabulary, takes, url, licence },
  }));
}
