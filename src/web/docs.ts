import { type Html, html, NOTHING, prose } from "./html.js";
import { layout } from "./layout.js";

/** As much of a JSON schema as our document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

/** As much of an OpenAPI document as the page shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The page of the interface, made of its OpenAPI document, for a place whose root is this one. */
export function docsPage(document: OpenApi, root: string): string {
  const { info, tags = [], components } = document;
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const sections = tags.map(({ name, description = "" }) => {
    const own = endpoints.filter(({ operation }) => operation.tags?.includes(name));
    return html`<h2 id="${anchor(name)}">${name}</h2><p>${prose(description)}</p>${own.map(showEndpoint)}`;
  });
  const schemas = Object.entries(components.schemas).map(([name, schema]) => showComponent(name, schema));
  const body = html`
<h1>${info.title}: API reference</h1>
<p>${prose(info.description ?? "")} Version ${info.version}. All paths below are relative to
<a href="${root}">the start page</a>. The same as data: <a href="${root}api/openapi.json">openapi.json</a>
(OpenAPI 3.1).</p>
<nav aria-label="Contents"><ul>${tags.map(({ name }) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
<li><a href="#schemas">Schemas</a></li></ul></nav>
${sections}
<h2 id="schemas">Schemas</h2>
${schemas}`;
  return layout({ title: `${info.title}: API`, body, place: { root, version: info.version } });
}

function showEndpoint({ method, path, operation }: Endpoint): Html {
  const { operationId, summary, description, security = [], parameters = [], requestBody, responses } = operation;
  return html`<section aria-labelledby="${operationId}">
<h3 id="${operationId}"><span class="method">${method}</span> <code>${path}</code></h3>
<p>${prose(summary)}.${description === undefined ? NOTHING : html` ${prose(description)}`}
${security.length > 0 ? html`<strong>Requires a token.</strong>` : NOTHING}</p>
${parameters.length > 0 ? showParameters(parameters, summary) : NOTHING}
${requestBody === undefined ? NOTHING : html`<p>Body: ${schemaOf(requestBody)}</p>`}
<ul>${Object.entries(responses).map(
    ([status, response]) =>
      html`<li><strong>${status}</strong> ${prose(response.description)} ${schemaOf(response)}</li>`,
  )}</ul>
</section>`;
}

function showParameters(parameters: readonly Parameter[], summary: string): Html {
  const rows = parameters.map(
    ({ name, in: place, description, schema }) => html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td>
<td>${typeOf(schema)}</td><td>${prose(description ?? schema.description ?? "")}${hints(schema)}</td></tr>`,
  );
  return html`<details><summary>Parameters<span class="skip"> of: ${summary}</span></summary><div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th>
<th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

function showComponent(name: string, schema: Schema): Html {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(
    ([property, value]) => html`<tr><th scope="row"><code>${property}</code></th><td>${typeOf(value)}</td>
<td>${required.has(property) ? "always" : ""}</td><td>${prose(value.description ?? "")}${hints(value)}</td></tr>`,
  );
  return html`<section aria-labelledby="schema-${name}"><h3 id="schema-${name}">${name}</h3>
<p>${prose(schema.description ?? "")}</p>
<div class="scroll"><table><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Present</th>
<th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function schemaOf({ content = {} }: Content): Html {
  const schema = Object.values(content)[0]?.schema;
  return schema === undefined ? NOTHING : html`(${typeOf(schema)})`;
}

/** A schema's type in a few words, with a link where it is a component. */
function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  if (schema.enum !== undefined && schema.enum.length <= ENUM_SHOWN_MAX) return html`${schema.enum.join(" | ")}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
    return showMembers(schema.properties);
  const name = [schema.type ?? "anything"].flat().join(" or ");
  return html`${schema.format === undefined ? name : `${name} (${schema.format})`}`;
}

function showMembers(properties: Readonly<Record<string, Schema>>): Html {
  const members = Object.entries(properties).map(
    ([name, schema]) => html`<li><code>${name}</code>: ${typeOf(schema)}. ${prose(schema.description ?? "")}</li>`,
  );
  return html`object<ul>${members}</ul>`;
}

function hints({ default: standard, examples = [] }: Schema): Html {
  const said = standard === undefined || standard === "" ? NOTHING : html` Default: <code>${String(standard)}</code>.`;
  const [example] = examples;
  if (example === undefined) return said;
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return html`${said} Example: <code>${text}</code>.`;
}

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Longer lists (the codes of all errors) are named, not shown. */
const ENUM_SHOWN_MAX = 6;
