/** What the service can do; what is left out is neither asked nor looked at. */
export const BUILT: ReadonlySet<"life" | "shares" | "feed" | "scopes" | "curator"> = new Set([]);
