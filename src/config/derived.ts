import { join } from "node:path";
import { LIVE_AUTHORITIES, type LiveAuthorityName } from "../core/background.js";
import { readCertificates } from "./read-certificates.js";
import type { Config } from "./schema.js";

/** Folders of `catalog`, in the order in which they override each other. */
export function catalogFolders(config: Config): readonly string[] {
  return config.catalog.split(":").filter((folder) => folder !== "");
}

/** Is the data in a database that several services share, and not in the data folder? */
export const isShared = ({ databaseUrl }: Config): boolean => databaseUrl !== "";

/** Nodes of the OpenSearch that has the index; none: there is none. */
export const searchUrlsOf = ({ searchUrl }: Config): readonly string[] =>
  searchUrl === "" ? [] : searchUrl.split(",").map((url) => url.replace(/\/+$/u, ""));

/** Certificates of the authorities that vouch for it, in PEM; undefined: those that Node.js trusts do. */
export const searchCaOf = ({ searchCa }: Config): string | undefined =>
  searchCa === "" ? undefined : readCertificates(searchCa);

/** Where the data is, for people: without the password. */
export function describeData(config: Config): string {
  if (!isShared(config)) return config.data;
  const { host, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

/** The file of the key that seals secrets. */
export const keyFileOf = ({ keyFile, data }: Config): string => (keyFile === "" ? join(data, "bindery.key") : keyFile);

/** The base of links: the one that is configured, or the address that the server listens on. */
export function publicUrlOf(config: Config, port: number): string {
  if (config.publicUrl !== "") return config.publicUrl;
  const everywhere = ["0.0.0.0", "::"].includes(config.host);
  const host = everywhere ? "127.0.0.1" : config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** What is wrong where other machines reach the service and nobody said by which address. @param port listened on */
export function warnOfAddress(config: Config, port: number): string | undefined {
  const { host } = config;
  if (config.publicUrl !== "" || host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host))
    return undefined;
  return (
    `BINDERY_HOST=${host} answers other machines, but BINDERY_PUBLIC_URL is not set: links in answers and webhooks ` +
    `begin with ${publicUrlOf(config, port)}, which is wrong for whoever reaches this service by another address. ` +
    "Set BINDERY_PUBLIC_URL to the address that clients use."
  );
}

/** What `trustedProxies` names. */
export function trustedProxiesOf(config: Config): readonly string[] {
  return config.trustedProxies.split(",").filter((proxy) => proxy !== "");
}

/** Where the authorities are asked that `lookup` names, without slashes at the end. */
export function lookupUrlsOf(config: Config): ReadonlyMap<LiveAuthorityName, string> {
  const { lookupRorUrl: ror, lookupOpenaireUrl: openaire, lookupPubchemUrl: pubchem, lookupNcbiUrl: ncbi } = config;
  const urls: Readonly<Record<LiveAuthorityName, string>> = { ror, openaire, pubchem, ncbi };
  const named = config.lookup.split(",");
  const enabled = LIVE_AUTHORITIES.filter((name) => named.includes(name));
  return new Map(enabled.map((name) => [name, urls[name].replace(/\/+$/, "")]));
}
