import { type Static, Type } from "typebox";
import { printRateLimits, RATE_LIMITS_DEFAULT, RATE_LIMITS_PATTERN } from "../core/rate-limits.js";

/** A setting whose feature comes with a later version: it is known, and only its default starts. */
const later = (feature: string) => ({ later: feature });

/** A setting whose value may hold a password: it is never printed as it stands. */
const secret = { secret: true };

/**
 * Every setting, once: the type, `bindery config` and docs/settings.md come from here. `searchTimeoutMs` is read from
 * `BINDERY_SEARCH_TIMEOUT_MS`, and so on. Units end the name. An empty variable counts as not set.
 */
export const ConfigSchema = Type.Object(
  {
    host: Type.String({
      default: "127.0.0.1",
      pattern: "^[^\\s/]+$",
      description: "Address to listen on. `0.0.0.0` answers other machines too.",
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      description: "Port to listen on. 0 takes a free one and prints it.",
    }),
    data: Type.String({
      default: "./bindery-data",
      minLength: 1,
      description:
        "Folder that holds the database. `serve`, `demo` and `import` make it where it is missing, no other command " +
        "does; one server at a time uses it.",
    }),
    publicUrl: Type.String({
      default: "",
      pattern: "^$|^https?://[^\\s?#]+$",
      description:
        "Base of all links in answers, as clients see the service, e.g. `https://data.example.org` or, behind a " +
        "proxy that has it under a path, `https://data.example.org/repository`. Empty: `http://<host>:<port>`.",
    }),
    catalog: Type.String({
      default: "",
      description:
        "Folders with your own models and vocabularies, separated by `:`. They add to the built-in ones; a later " +
        "folder overrides an earlier one.",
    }),
    databaseUrl: Type.String({
      default: "",
      pattern: "^$|^postgres(ql)?://\\S+$",
      description: "PostgreSQL as the store, `postgres://...`. Empty: the embedded database in the data folder.",
      ...secret,
      ...later("PostgreSQL"),
    }),
    searchUrl: Type.String({
      default: "",
      pattern: "^$|^https?://\\S+$",
      description: "OpenSearch as the index, `http://...` or `https://...`. Empty: the index inside the database.",
      ...secret,
      ...later("OpenSearch"),
    }),
    rateLimits: Type.String({
      default: printRateLimits(RATE_LIMITS_DEFAULT),
      pattern: RATE_LIMITS_PATTERN,
      description:
        "Requests per minute of one user, with all their tokens: reads by id, searches, writes; and of one address " +
        "without a token (`anonymous-`). What is left out has its default, and an address never more than a user. " +
        "`off`: no limits.",
    }),
    trustedProxies: Type.String({
      default: "",
      pattern: "^$|^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$",
      description:
        "Addresses or networks of proxies in front of the service, separated by `,`, e.g. `127.0.0.1,10.0.0.0/8`. " +
        "Whose request it is, is then read from `X-Forwarded-For`. Without it all that comes through a proxy shares " +
        "the limits of its address.",
    }),
    connections: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 1_000_000,
      description:
        "Connections that may be open at once, for each process; any more are closed as they open. The system must " +
        "allow as many open files.",
    }),
    connectionsPerAddress: Type.Integer({
      default: 500,
      minimum: 1,
      maximum: 1_000_000,
      description:
        "Connections that one address may have open at once (of IPv6: one network of 64 bits). It does not hold for " +
        "`BINDERY_TRUSTED_PROXIES`.",
    }),
    metrics: Type.Enum(["loopback", "everyone", "off"], {
      default: "loopback",
      description:
        "Who may read `/metrics`: this machine (and who shows `BINDERY_METRICS_TOKEN`), everybody who reaches the " +
        "service, or nobody. With `BINDERY_PUBLIC_URL` or `BINDERY_TRUSTED_PROXIES` there is a proxy in front, which " +
        "looks like this machine: then only the token opens it.",
    }),
    metricsToken: Type.String({
      default: "",
      pattern: "^$|^[A-Za-z0-9._~+/-]{16,256}=*$",
      description:
        "With `Authorization: Bearer` and this token `/metrics` is read from anywhere; it is no token of a user, and " +
        "opens nothing else. Empty: there is none.",
      ...secret,
    }),
    cacheMb: Type.Integer({
      default: 512,
      minimum: 0,
      maximum: 1_048_576,
      description:
        "Memory that searches may use to keep sets and columns, in megabytes. Answers are the same with any of it; " +
        "with 0 everything is read from the file each time.",
    }),
    workers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 64,
      description:
        "Processes that answer requests, on one port and one database. More than one uses more processors for reads " +
        "and searches; one of them all writes. They share out `BINDERY_CACHE_MB`.",
    }),
    webhookPrivate: Type.Enum(["off", "on"], {
      default: "off",
      description:
        "May webhooks lead to private addresses: this machine, its network? `on` where whoever adds them is to reach " +
        "services inside.",
    }),
    searchTimeoutMs: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 600_000,
      description: "A query that takes longer, in milliseconds, is answered 400 `QUERY_TOO_COSTLY`.",
    }),
    logLevel: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      default: "info",
      description: "The least important lines that are logged.",
    }),
  },
  { additionalProperties: false },
);

/** The settings of one process, frozen. Read once, by `loadConfig`, and handed down. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
