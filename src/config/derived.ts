import type { Config } from "./schema.js";

/** Folders of `catalog`, in the order in which they override each other. */
export function catalogFolders(config: Config): readonly string[] {
  return config.catalog.split(":").filter((folder) => folder !== "");
}

/** The base of links: the one that is configured, or the address that the server listens on. */
export function publicUrlOf(config: Config, port: number): string {
  if (config.publicUrl !== "") return config.publicUrl;
  const everywhere = ["0.0.0.0", "::"].includes(config.host);
  const host = everywhere ? "127.0.0.1" : config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** What `trustedProxies` names. */
export function trustedProxiesOf(config: Config): readonly string[] {
  return config.trustedProxies.split(",").filter((proxy) => proxy !== "");
}
