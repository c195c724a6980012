import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIVE_AUTHORITIES, type LiveAuthorityName } from "../core/background.js";
import type { Config } from "./schema.js";

/** Returns the folders of `catalog`; later ones override earlier ones. */
export function catalogFolders(config: Config): readonly string[] {
  return config.catalog.split(":").filter((folder) => folder !== "");
}

/** Returns whether the data are in a database that several services share, not in the data folder. */
export const isShared = ({ databaseUrl }: Config): boolean => databaseUrl !== "";

/** Returns the URLs of the OpenSearch nodes with the index; none if there is no OpenSearch. */
export const searchUrlsOf = ({ searchUrl }: Config): readonly string[] =>
  searchUrl === "" ? [] : searchUrl.split(",").map((url) => url.replace(/\/+$/u, ""));

/** Returns the CA certificates of OpenSearch, in PEM; undefined for the CAs that Node.js trusts. */
export const searchCaOf = ({ searchCa }: Config): string | undefined =>
  searchCa === "" ? undefined : readCertificates(searchCa);

/** Describes where the data are stored, without the password. */
export function describeDataPlace(config: Config): string {
  if (!isShared(config)) return config.data;
  const { host, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

/** Returns the file of the key that encrypts secrets. */
export const keyFileOf = ({ keyFile, data }: Config): string => (keyFile === "" ? join(data, "bindery.key") : keyFile);

/** Returns the base URL of links: the configured one, or the address of the server. */
export function publicUrlOf(config: Config, port: number): string {
  if (config.publicUrl !== "") return config.publicUrl;
  const everywhere = ["0.0.0.0", "::"].includes(config.host);
  const host = everywhere ? "127.0.0.1" : config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** Returns a warning if other machines can reach the service but its address is not set. @param port of the server */
export function addressWarning(config: Config, port: number): string | undefined {
  const { host } = config;
  if (config.publicUrl !== "" || host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host))
    return undefined;
  return (
    `BINDERY_HOST=${host} answers other machines, but BINDERY_PUBLIC_URL is not set: links in answers and webhooks ` +
    `begin with ${publicUrlOf(config, port)}, which is wrong for clients that use another address. ` +
    "Set BINDERY_PUBLIC_URL to the address that clients use."
  );
}

/** Returns the proxies in `trustedProxies`. */
export function trustedProxiesOf(config: Config): readonly string[] {
  return config.trustedProxies.split(",").filter((proxy) => proxy !== "");
}

/** Returns the URLs of the authorities in `lookup`, without slashes at the end. */
export function lookupUrlsOf(config: Config): ReadonlyMap<LiveAuthorityName, string> {
  const { lookupRorUrl: ror, lookupOpenaireUrl: openaire, lookupPubchemUrl: pubchem, lookupNcbiUrl: ncbi } = config;
  const urls: Readonly<Record<LiveAuthorityName, string>> = { ror, openaire, pubchem, ncbi };
  const named = config.lookup.split(",");
  const enabled = LIVE_AUTHORITIES.filter((name) => named.includes(name));
  return new Map(enabled.map((name) => [name, urls[name].replace(/\/+$/, "")]));
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gsu;

/**
 * Reads and checks a file of certificates. Node.js silently ignores invalid ones, and would then trust no server.
 *
 * @returns its text
 * @throws Error with the problem of the file
 */
export function readCertificates(file: string): string {
  const text = readText(file);
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error("the file has no certificate in PEM");
  if (!certificates.every(isCertificate)) throw new Error("a certificate in the file is damaged");
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
