import { type Static, Type } from "typebox";
import { LIVE_AUTHORITIES } from "../core/background.js";
import { QUOTA_SETTINGS_DEFAULT, RECORD_TEXT_KB_DEFAULT, TEXT_KB_DEFAULT } from "../core/limits.js";
import { printRateLimits, RATE_LIMITS_DEFAULT, RATE_LIMITS_PATTERN } from "../core/rate-limits.js";

const quota = (name: keyof typeof QUOTA_SETTINGS_DEFAULT, description: string) =>
  Type.Integer({
    default: QUOTA_SETTINGS_DEFAULT[name],
    minimum: 0,
    maximum: 100_000_000,
    description: `${description} \`0\`: no limit.`,
  });

/** Settings that limit the size of a record and the storage of a user. */
const STORED_SIZES = {
  textKb: Type.Integer({
    default: TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of one text of a record (a description, a sequence), in kilobytes of 1,000 bytes (UTF-8). A record " +
      "or draft with a longer text is refused, and the error names the field. Longer texts that are already stored " +
      "stay: `bindery load` accepts them, and `bindery verify` lists them. `BINDERY_RECORD_TEXT_KB` bounds this value.",
  }),
  recordTextKb: Type.Integer({
    default: RECORD_TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of all texts of a record together, keys included, in kilobytes of 1,000 bytes (UTF-8). A record with " +
      "more text is refused with 413 `RECORD_TOO_LARGE`. So is a record in which the texts that are filled in for " +
      "cited terms and references are larger than this. Pages, searches and memory grow with it.",
  }),
  draftsPerUser: quota(
    "draftsPerUser",
    "Maximum number of open drafts that one user owns; further ones are refused with 413 `QUOTA_EXCEEDED`. A " +
      "published or deleted draft does not count any more. Imports and transfers by an operator are never refused.",
  ),
  draftMbPerUser: quota(
    "draftMbPerUser",
    "Maximum size of all open drafts together that one user owns, in megabytes of 1,000,000 bytes, as they are " +
      "stored (JSON, UTF-8). A draft that does not fit is refused with 413 `QUOTA_EXCEEDED`; one that becomes " +
      "smaller is always saved.",
  ),
  uncitedTermsPerUser: quota(
    "uncitedTermsPerUser",
    "Maximum number of terms of vocabularies that one user created through the API and that no record or draft " +
      "cites; further ones are refused with 413 `QUOTA_EXCEEDED`.",
  ),
};

/** Marks a setting whose value is never shown. */
const secret = { secret: true };

/** Marks a setting that names a file of certificates. */
const certificates = { certificates: true };

/** Pattern of the names in `BINDERY_LOOKUP`. */
const LIVE = `(${LIVE_AUTHORITIES.join("|")})`;

/**
 * Pattern of the URL of an authority: without encryption only this machine. It may have a path, but no password or
 * query.
 */
const AUTHORITY_URL =
  "^(https://[^\\s?#@/]+|http://(127(\\.[0-9]{1,3}){3}|localhost|\\[::1\\])(:[0-9]{1,5})?)(/[^\\s?#]*)?$";

const authorityUrl = (name: string, standard: string) =>
  Type.String({
    default: standard,
    pattern: AUTHORITY_URL,
    allowed: "a URL that begins with https://, or with http:// and an address of this machine",
    description: `API of ${name}, if \`BINDERY_LOOKUP\` names it: its own service, or a mirror or proxy of it.`,
  });

/**
 * All settings: their type, `bindery config` and docs/settings.md are derived from this schema. `searchTimeoutMs` is
 * the variable `BINDERY_SEARCH_TIMEOUT_MS`, and so on. Units end the names. An empty variable counts as not set. A
 * setting with a `pattern` describes the `allowed` values, as the end of the sentence "It must be ...".
 */
export const ConfigSchema = Type.Object(
  {
    host: Type.String({
      default: "127.0.0.1",
      pattern: "^[^\\s/]+$",
      allowed: "a host name or an address",
      description: "Address to listen on. `0.0.0.0` also accepts connections from other machines.",
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      description: "Port to listen on. `0` selects a free port and prints it.",
    }),
    data: Type.String({
      default: "./bindery-data",
      minLength: 1,
      description:
        "Folder that holds the database. `serve`, `demo` and `import` create it if it does not exist; other " +
        "commands do not. Only one service at a time can use it.",
    }),
    newStore: Type.Enum(["on", "off"], {
      default: "on",
      description:
        "Whether `serve`, `demo` and `import` create a new, empty store if there is none. `off` is recommended for " +
        "a service that has data: if its disk is not mounted, it does not start, so clients do not take its records " +
        "for deleted.",
    }),
    databaseUrl: Type.String({
      default: "",
      pattern: "^$|^postgres(ql)?://[^\\s]+$",
      allowed: "a URL such as `postgres://bindery:password@db.example.org:5432/bindery?sslmode=verify-full`",
      description:
        "PostgreSQL database that holds the data, instead of the data folder, so that several services can share it; " +
        "see docs/cluster.md. Empty: the data folder.",
      ...secret,
    }),
    searchUrl: Type.String({
      default: "",
      pattern: "^$|^https?://[^\\s?#,]+(,https?://[^\\s?#,]+)*$",
      allowed: "a URL such as `https://bindery:password@search.example.org:9200`, or several, separated by `,`",
      description:
        "OpenSearch that holds the index for searches, if the data is in a database (`BINDERY_DATABASE_URL`); see " +
        "docs/cluster.md. Several URLs name the nodes of one OpenSearch; requests alternate between them. Empty: " +
        "with a database, searches are refused; a data folder contains its own index.",
      ...secret,
    }),
    searchCa: Type.String({
      default: "",
      allowed: "the path of a file",
      description:
        "File with the certificates (PEM) of the authorities that signed the certificate of `BINDERY_SEARCH_URL`, " +
        "if that begins with https://. Empty: the authorities that Node.js trusts.",
      ...certificates,
    }),
    searchPrefix: Type.String({
      default: "bindery",
      // `bindery-1-records` belongs to `bindery`, so no other service may be named `bindery-1`.
      pattern: "^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$",
      allowed: "at most 40 lower-case letters, digits and `-`, with a letter at the beginning and after each `-`",
      description:
        "Prefix of the names of all indexes of this service in OpenSearch. Services with different databases need " +
        "different prefixes in one OpenSearch.",
    }),
    overlayMax: Type.Integer({
      default: 2_000,
      minimum: 100,
      maximum: 100_000,
      description:
        "Maximum number of changed records (of 32 kB on average), or terms of a vocabulary, that a search evaluates " +
        "itself because OpenSearch does not have them yet. If there are more, searches lack the last changes and " +
        "say so; with ten times as many changes they are answered 503. See docs/cluster.md.",
    }),
    keyFile: Type.String({
      default: "",
      description:
        "File with the key that protects the secrets of webhooks, created if it does not exist. Services that share " +
        "a database need the same file. Empty: `bindery.key` in the data folder.",
    }),
    publicUrl: Type.String({
      default: "",
      pattern: "^$|^https?://[^\\s?#]+$",
      allowed: "a URL that begins with http:// or https://",
      description:
        "Base URL of all links in responses, as clients reach the service: `https://data.example.org` or, behind " +
        "a proxy that serves it under a path, `https://data.example.org/repository`. Empty: " +
        "`http://<host>:<port>`.",
    }),
    citeUrl: Type.String({
      default: "",
      pattern: "^$|^https?://[^\\s?#]+$",
      allowed: "a URL that begins with http:// or https://",
      description:
        "Beginning of the persistent addresses of records, if you have a PURL, w3id or ARK prefix that redirects to " +
        "this service: with `https://w3id.org/example/` citations lead to `https://w3id.org/example/<id>`. Empty: " +
        "citations lead to the pages of the records.",
    }),
    catalog: Type.String({
      default: "",
      description:
        "Folders with your own models and vocabularies, separated by `:`. They add to the built-in ones; a later " +
        "folder overrides an earlier one.",
    }),
    site: Type.String({
      default: "",
      description:
        "Folder with the title, colour, logo, contact and pages (imprint, privacy, ...) of your site; see " +
        "docs/site.md. Empty: the look of Bindery.",
    }),
    ...STORED_SIZES,
    rateLimits: Type.String({
      default: printRateLimits(RATE_LIMITS_DEFAULT),
      pattern: RATE_LIMITS_PATTERN,
      allowed: "`off`, or numbers such as `reads=60000,searches=12000,anonymous-searches=6000`",
      description:
        "Requests per minute of one user, over all their tokens: reads by id, searches, and writes; with the " +
        "prefix `anonymous-`, of one address without a token. A limit that is not given has its default value; an " +
        "address is never allowed more than a user. `off` disables all limits.",
    }),
    trustedProxies: Type.String({
      default: "",
      pattern: "^$|^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$",
      allowed: "addresses such as `127.0.0.1,10.0.0.0/8`",
      description:
        "Addresses or networks of the proxies in front of the service, separated by `,`. For requests from them " +
        "the client address is read from `X-Forwarded-For`. If this is empty, all clients behind a proxy share " +
        "the limits of the proxy's address.",
    }),
    connections: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 1_000_000,
      description:
        "Maximum number of open connections per process; further connections are closed immediately. The system " +
        "must allow at least this many open files.",
    }),
    connectionsPerAddress: Type.Integer({
      default: 500,
      minimum: 1,
      maximum: 1_000_000,
      description:
        "Maximum number of open connections per client address (for IPv6, per /64 network). Does not apply to " +
        "`BINDERY_TRUSTED_PROXIES`.",
    }),
    metrics: Type.Enum(["loopback", "everyone", "off"], {
      default: "loopback",
      description:
        "Who may read `/metrics`: `loopback`, only this machine and clients with `BINDERY_METRICS_TOKEN`; " +
        "`everyone`; or `off`, no one. If `BINDERY_PUBLIC_URL` or `BINDERY_TRUSTED_PROXIES` is set, the requests " +
        "of a proxy look as if they came from this machine, so `loopback` then requires the token.",
    }),
    metricsToken: Type.String({
      default: "",
      pattern: "^$|^[A-Za-z0-9._~+/-]{16,256}=*$",
      allowed: "16 to 256 letters, digits and `-._~+/`",
      description:
        "Token that gives access to `/metrics` from anywhere, sent as `Authorization: Bearer <token>`. It belongs " +
        "to no user and gives access to nothing else. Empty: no such token.",
      ...secret,
    }),
    cacheMb: Type.Integer({
      default: 512,
      minimum: 0,
      maximum: 1_048_576,
      description:
        "Memory for all caches, in megabytes. It affects speed only, never results; with 0, every search reads from " +
        "the database file. `bindery_cache_bytes` shows what is used.",
    }),
    workers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 64,
      description:
        "Number of processes that serve requests, on one port and one database. With several, reads and searches " +
        "use several processor cores; one process does all writes. They share `BINDERY_CACHE_MB` between them.",
    }),
    webhookPrivate: Type.Enum(["off", "on"], {
      default: "off",
      description:
        "Whether webhooks may send to private addresses: this machine and its local network. Set it to `on` for " +
        "receivers inside your network.",
    }),
    lookup: Type.String({
      default: "",
      pattern: `^$|^${LIVE}(,${LIVE})*$`,
      allowed: `names of authorities such as \`ror,ncbi\`; there are ${LIVE_AUTHORITIES.join(", ")}`,
      description:
        "Authorities that are asked for terms that are not loaded: when a record that cites them is saved, published " +
        "or validated, and by `GET /api/vocabularies/<vocabulary>/lookup`. Empty: none; nothing is sent to third " +
        "parties. See docs/authorities.md.",
    }),
    lookupTimeoutMs: Type.Integer({
      default: 4_000,
      minimum: 100,
      maximum: 60_000,
      description:
        "How long to wait for an answer of an authority, retries included, in milliseconds. While an authority does " +
        "not answer, saving a draft that cites a missing term takes this much longer.",
    }),
    lookupEmail: Type.String({
      default: "",
      pattern: "^$|^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$",
      allowed: "an e-mail address",
      description:
        "Address at which authorities can reach the operator of this service; NCBI asks for it. It is sent with each " +
        "request to an authority.",
    }),
    lookupRorUrl: authorityUrl("ROR", "https://api.ror.org"),
    lookupRorClient: Type.String({
      default: "",
      pattern: "^$|^[\\x21-\\x7e]{1,256}$",
      allowed: "up to 256 characters without blanks",
      description:
        "Client ID of this service at ROR, which is free (https://ror.readme.io/docs/client-id); without one ROR " +
        "allows 50 requests in five minutes.",
      ...secret,
    }),
    lookupOpenaireUrl: authorityUrl("OpenAIRE", "https://api.openaire.eu"),
    lookupPubchemUrl: authorityUrl("PubChem", "https://pubchem.ncbi.nlm.nih.gov"),
    lookupNcbiUrl: authorityUrl("NCBI", "https://eutils.ncbi.nlm.nih.gov"),
    searchTimeoutMs: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 600_000,
      description: "Maximum duration of a query, in milliseconds; a slower query fails with 400 `QUERY_TOO_COSTLY`.",
    }),
    blockedSeconds: Type.Integer({
      default: 90,
      minimum: 0,
      maximum: 86_400,
      description:
        "Seconds after which `serve` ends itself (by SIGKILL) if its main thread is blocked and no request is " +
        "answered, so that systemd or the container runtime starts it again. Values from 1 to 9 act as 10. `0`: it " +
        "never ends itself; standard error and `bindery_main_thread_blocks_total` still report the block.",
    }),
    clockJumpHours: Type.Integer({
      default: 24,
      minimum: 0,
      maximum: 100_000,
      description:
        "Maximum number of hours by which the clock may jump ahead while a service runs, and by which the last " +
        "change may lie ahead of the clock. Beyond that, writes are refused with 503 `STORE_UNAVAILABLE`, because " +
        "later changes never get an earlier date. `0`: no limit. See docs/operating.md.",
    }),
    logLevel: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      default: "info",
      description: "Lowest level of log lines to write.",
    }),
  },
  { additionalProperties: false },
);

/** The frozen settings of a process, which `loadConfig` reads once. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
