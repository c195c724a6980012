/**
 * Writes the files that are made from code and from the catalog: of docs/ settings, errors, limits, units, the table of
 * life and models; the types of the client; the records of the demo set that nobody wrote by hand. Needs a build.
 *
 *   node scripts/docs.mjs          writes them
 *   node scripts/docs.mjs --check  changes nothing; exit code 1 when one is not what the code says
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse as parseYaml } from "yaml";
import { makeAnswerTypes } from "./answer-types.mjs";
import { makeDemoRecords } from "./demo-records.mjs";
import { fieldPage } from "./field-docs.mjs";
import { cell, page, table } from "./markdown.mjs";
import { modelPages } from "./model-docs.mjs";
import { makeModelTypes } from "./model-types.mjs";
import { withEqualParts } from "./shared-parts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = (file) => import(pathToFileURL(join(root, "build", file)).href);

const SETTINGS_INTRO = `\
Settings are environment variables, read once at startup. If a value is invalid, or a variable whose name begins with
\`BINDERY_\` is not a setting, Bindery lists all problems and does not start. An empty variable counts as not set.
\`npx bindery config\` prints the current values, \`npx bindery config --help\` explains each setting.`;

const ERRORS_INTRO = `\
Every failure has one shape: \`{"status", "code", "message", "errors", "request_id"}\`. A code keeps its meaning and is
never reused; the message may change. Quote the \`request_id\` when you ask the operator.`;

const ENTRY_INTRO = `\
One problem at one place: \`{"field", "pointer", "code", "messages", "value"?, "allowed"?, "nearest"?}\`. \`messages\`
are for people; they call a field by its title in the model and count the items of a list from 1.

One mistake is one entry. If a field selects one of several alternatives (the \`type\` of an entity, for example), only
the selected one reports errors, and an invalid choice is one entry at this field. A missing object is one entry, and
so is a text in its place. A missing or empty list, or an item of it without an id, is reported there, not again at
each reference to it.`;

const WARNING_INTRO = `\
Something that was done or left out: \`{"code", "message", "field" or "parameter"}\`. A warning stops nothing.`;

const UNITS_INTRO = `\
Numbers with units of the same dimension can be compared with each other: \`kd:<10nM\` finds 0.009 µM. They are indexed
in the canonical unit, rounded to 12 significant digits. Any other unit is stored and compared only with itself.

A unit may be written as its name, as one of the other spellings, or in any equivalent form: \`µ\`, \`μ\` or \`u\` for
micro; superscripts; \`M^-1\`, \`M-1\`, \`1/M\`, \`/M\` or \`per M\`; blanks, dots, asterisks or nothing between factors
(\`1/Ms\`). Units are case-sensitive only in m and M (milli and mega) and in products.

The units are declared in \`catalog/units.yaml\`; your own [catalog folders](catalog.md) can add more.`;

/** Every generated file by its path below the root. */
export async function makePages() {
  const { readCatalog, BUILT_IN_CATALOG } = await built("app/composition/read-catalog.js");
  const { models, vocabularies } = readCatalog([BUILT_IN_CATALOG]);
  const equal = withEqualParts([...models.values()]);
  const catalog = { models: new Map(equal.map((model) => [model.name, model])), vocabularies };
  return {
    "docs/settings.md": await settings(),
    "docs/errors.md": await errors(),
    "docs/limits.md": await limits(),
    "docs/units.md": units(),
    "docs/life.md": await life(),
    ...(await modelPages(catalog, built, read)),
    "docs/search-fields.md": await fieldPage(catalog, built, root),
    ...makeDemoRecords(),
    ...makeModelTypes(catalog),
    ...(await makeAnswerTypes(built)),
  };
}

/** Paths of the pages that differ from what the code says. */
export async function findStalePages() {
  const pages = Object.entries(await makePages());
  return pages.filter(([path, text]) => read(path) !== text).map(([path]) => path);
}

async function settings() {
  const { explainSetting, SETTINGS } = await built("config/settings.js");
  const blocks = SETTINGS.map((setting) => {
    const value = setting.default === "" ? "empty" : `\`${setting.default}\``;
    return `## ${setting.variable}\n\n${explainSetting(setting)}\n\nAccepts ${setting.allowed}. Default: ${value}.`;
  });
  return page("Settings", SETTINGS_INTRO, blocks);
}

async function errors() {
  const [{ ERRORS }, { ISSUE_CODES }] = await Promise.all([built("core/errors.js"), built("core/issue.js")]);
  const failures = Object.entries(ERRORS).map(([code, { status, text }]) => [
    `\`${code}\``,
    status,
    cell(text(placeholder())),
  ]);
  const entries = (kind) =>
    Object.entries(ISSUE_CODES)
      .filter(([, issue]) => issue.kind === kind)
      .map(([code, { explanation }]) => [`\`${code}\``, cell(explanation)]);
  return page("Errors and warnings", ERRORS_INTRO, [
    `## Failures\n\n${table(["Code", "Status", "Message"], failures)}`,
    `## Entries of \`errors\`\n\n${ENTRY_INTRO}\n\n${table(["Code", "Meaning"], entries("error"))}`,
    `## Entries of \`warnings\`\n\n${WARNING_INTRO}\n\n${table(["Code", "Meaning"], entries("warning"))}`,
    "## Retired codes\n\n- `QUERY_FEATURE_MISSING` (a warning): every search engine supports the whole language.",
  ]);
}

/** Settings with a bound: a request or a process beyond it is refused or ended. */
const LIMITING_SETTINGS = [
  "BINDERY_TEXT_KB",
  "BINDERY_RECORD_TEXT_KB",
  "BINDERY_DRAFTS_PER_USER",
  "BINDERY_DRAFT_MB_PER_USER",
  "BINDERY_UNCITED_TERMS_PER_USER",
  "BINDERY_CLOCK_JUMP_HOURS",
  "BINDERY_BLOCKED_SECONDS",
];

/** The table of limits, with the comments of its source, which say what the numbers count; then limiting settings. */
async function limits() {
  const source = read("src/core/limits.ts");
  const rows = [];
  let comment = "";
  for (const line of source.slice(source.indexOf("{")).split("\n")) {
    const said = /^ {2}\/\*\* (.*) \*\/$/.exec(line);
    if (said) comment = said[1];
    const limit = /^ {2}(\w+): ([\d_ *]+),$/.exec(line);
    if (!limit) continue;
    const value = limit[2].split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
    rows.push([`\`${limit[1]}\``, value.toLocaleString("en-US"), cell(comment)]);
    comment = "";
  }
  const intro = "A request that exceeds a limit gets an error that names the limit. Nothing is truncated silently.";
  const { SETTINGS } = await built("config/settings.js");
  const settings = LIMITING_SETTINGS.map((variable) => {
    const { default: value, help } = SETTINGS.find((setting) => setting.variable === variable);
    return [`[\`${variable}\`](settings.md#${variable.toLowerCase()})`, value.toLocaleString("en-US"), cell(help)];
  });
  return page("Limits", intro, [
    table(["Limit", "Value", "Meaning"], rows),
    `## Limits that are settings\n\n${table(["Setting", "Default", "Meaning"], settings)}`,
  ]);
}

function units() {
  const blocks = Object.values(parseYaml(read("catalog/units.yaml"))).map(
    ({ title, canonical, bare, units: declared }) => {
      const rows = Object.entries(declared).map(([name, { factor, offset, synonyms = [] }]) => {
        const conversion = name === canonical ? "canonical" : `${offset ? `(n + ${offset})` : "n"} × ${factor}`;
        return [`\`${name}\``, conversion, synonyms.map((synonym) => `\`${synonym}\``).join(", ")];
      });
      const without = bare ? "\n\nA number without a unit has this dimension if the field has it." : "";
      return `## ${title}${without}\n\n${table(["Unit", `In ${canonical}`, "Other spellings"], rows)}`;
    },
  );
  return page("Units", UNITS_INTRO, blocks);
}

/** The page of the life of a record, whose table is made; what stands around it is written by hand. */
async function life() {
  const { TRANSITIONS, LIFE_STATES, STANDINGS } = await built("core/lifecycle.js");
  const names = { writer: "share `write`", reader: "share `read`" };
  const whoOf = (who) =>
    STANDINGS.every((one) => who.includes(one)) ? "any user" : who.map((one) => names[one] ?? one).join(", ");
  const afterwards = (from, to) => {
    if (to === undefined) return "unchanged";
    return typeof to === "string" ? to : from.map((state) => `${to[state]} (from ${state})`).join(", ");
  };
  const states = Object.entries(LIFE_STATES).map(([state, said]) => [`\`${state}\``, said.replace(/\.?$/, ".")]);
  const rows = TRANSITIONS.map(([, { request, from, to, who, scope, does }]) => {
    return [`\`${request}\``, from.join(", "), afterwards(from, to), whoOf(who), `\`${scope}\``, does];
  });
  const head = ["Request", "From", "To", "Who", "Scope", "Effect"];
  const made = [
    table(["State of an id", "Meaning"], states),
    "`...` stands for `/api/records/<model>/<id>`. If the state is `edited`, `.../draft` is the open draft.",
    table(head, rows),
  ].join("\n\n");
  return read("docs/life.md").replace(/(<!-- begin: .* -->\n)[\s\S]*(<!-- end -->)/, `$1\n${made}\n\n$2`);
}

/** Stands for any parameter of a message: its members and its text are the name in angle brackets. */
function placeholder(name = "") {
  return new Proxy(() => undefined, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === "toString") return () => `<${name}>`;
      if (key === "join") return () => `<${name}>`;
      if (key === "length") return "n";
      return placeholder(/^\d+$/.test(String(key)) ? name : String(key));
    },
  });
}

function read(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2);
  if (flags.some((flag) => flag !== "--check")) {
    process.stderr.write(`Unknown: ${flags.join(" ")}\n`);
    process.exit(2);
  }
  if (flags.includes("--check")) {
    const stale = await findStalePages();
    for (const path of stale) process.stderr.write(`${path} is not what the code says; run \`npm run docs\`.\n`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else {
    for (const [path, text] of Object.entries(await makePages())) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }
}
