import { type ComponentChildren, Fragment } from "preact";
import type { PageView } from "../parts/frame.js";
import type { Place } from "../parts/place.js";
import { ScrollBox, Table } from "../parts/table.js";
import { Prose } from "../parts/text.js";
import { WORDS } from "../words/page-en.js";

/** Makes the reference page of the API from its OpenAPI document. */
export function docsPage(document: OpenApi): PageView {
  const { info, tags = [], components } = document;
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return {
    title: `${info.title}: API`,
    section: "api",
    content: (
      <div class="reference">
        <h1>{info.title}: API reference</h1>
        <p>
          <Prose text={info.description ?? ""} /> Version {info.version}. All paths below are relative to{" "}
          <StartLink to="">the start page</StartLink>. The same as data:{" "}
          <StartLink to="api/openapi.json">openapi.json</StartLink> (OpenAPI 3.1).
        </p>
        <nav class="contents" aria-label={WORDS.record.contents}>
          <ul>
            {tags.map(({ name }) => (
              <li key={name}>
                <a href={`#${anchor(name)}`}>{name}</a>
              </li>
            ))}
            <li>
              <a href="#schemas">Schemas</a>
            </li>
          </ul>
        </nav>
        {tags.map(({ name, description = "" }) => (
          <Fragment key={name}>
            <h2 id={anchor(name)}>{name}</h2>
            <p>
              <Prose text={description} />
            </p>
            {endpoints
              .filter(({ operation }) => operation.tags?.includes(name))
              .map((endpoint) => (
                <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} />
              ))}
          </Fragment>
        ))}
        <h2 id="schemas">Schemas</h2>
        {Object.entries(components.schemas).map(([name, schema]) => (
          <Component key={name} name={name} schema={schema} />
        ))}
      </div>
    ),
  };
}

interface StartLinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
}

function StartLink({ to, children }: StartLinkProps, { root }: Place) {
  return <a href={root + to}>{children}</a>;
}

function EndpointSection({ endpoint: { method, path, operation } }: { readonly endpoint: Endpoint }) {
  const { operationId, summary, description, security = [], parameters = [], requestBody, responses } = operation;
  return (
    <section aria-labelledby={operationId}>
      <h3 id={operationId}>
        <span class="method">{method}</span> <code>{path}</code>
      </h3>
      <p>
        <Prose text={summary} />.
        {description !== undefined && (
          <>
            {" "}
            <Prose text={description} />
          </>
        )}{" "}
        {security.length > 0 && <strong>Requires a token.</strong>}
      </p>
      {parameters.length > 0 && <ParameterTable parameters={parameters} summary={summary} />}
      {requestBody !== undefined && (
        <p>
          Body: <Body content={requestBody} />
        </p>
      )}
      <ul>
        {Object.entries(responses).map(([status, response]) => (
          <li key={status}>
            <strong>{status}</strong> <Prose text={response.description} /> <Body content={response} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ParameterTableProps {
  readonly parameters: readonly Parameter[];
  readonly summary: string;
}

function ParameterTable({ parameters, summary }: ParameterTableProps) {
  return (
    <details>
      <summary>
        Parameters<span class="skip"> of: {summary}</span>
      </summary>
      <ScrollBox label={`Parameters of: ${summary}`}>
        <Table heads={["Name", "In", "Type", "Meaning"]}>
          {parameters.map(({ name, in: place, description, schema }) => (
            <SchemaRow key={place + name} name={name} schema={{ ...schema, ...(description && { description }) }}>
              <td>{place}</td>
            </SchemaRow>
          ))}
        </Table>
      </ScrollBox>
    </details>
  );
}

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** A schema of the API with its members. */
function Component({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  const required = new Set(schema.required ?? []);
  return (
    <section aria-labelledby={`schema-${name}`}>
      <h3 id={`schema-${name}`}>{name}</h3>
      <p>
        <Prose text={schema.description ?? ""} />
      </p>
      <ScrollBox label={`Members of ${name}`}>
        <Table heads={["Member", "Present", "Type", "Meaning"]}>
          {Object.entries(schema.properties ?? {}).map(([property, value]) => (
            <SchemaRow key={property} name={property} schema={value}>
              <td>{required.has(property) ? "always" : ""}</td>
            </SchemaRow>
          ))}
        </Table>
      </ScrollBox>
    </section>
  );
}

interface SchemaRowProps {
  readonly name: string;
  readonly schema: Schema;
  /** Cell between name and type. */
  readonly children: ComponentChildren;
}

/** A row with the name, type and meaning of a member or a parameter. */
function SchemaRow({ name, schema, children }: SchemaRowProps) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      {children}
      <td>
        <TypeOf schema={schema} />
      </td>
      <td>
        <Prose text={schema.description ?? ""} />
        <Hints schema={schema} />
      </td>
    </tr>
  );
}

/** Type of a request or response body, in parentheses. */
function Body({ content: { content = {} } }: { readonly content: Content }) {
  const schema = Object.values(content)[0]?.schema;
  return schema === undefined ? null : (
    <>
      (<TypeOf schema={schema} />)
    </>
  );
}

/** Short description of a type, with a link if the type is a component. */
function TypeOf({ schema }: { readonly schema: Schema }): ComponentChildren {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    return <a href={`#schema-${name}`}>{name}</a>;
  }
  if (schema.items !== undefined) {
    return (
      <>
        list of <TypeOf schema={schema.items} />
      </>
    );
  }
  if (schema.enum !== undefined && schema.enum.length <= ENUM_SHOWN_MAX) return schema.enum.join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) {
    return (
      <>
        object
        <ul>
          {Object.entries(schema.properties).map(([name, value]) => (
            <li key={name}>
              <code>{name}</code>: <TypeOf schema={value} />. <Prose text={value.description ?? ""} />
            </li>
          ))}
        </ul>
      </>
    );
  }
  const name = [schema.type ?? "anything"].flat().join(" or ");
  return schema.format === undefined ? name : `${name} (${schema.format})`;
}

/** Default and example of a value. */
function Hints({ schema: { default: defaultValue, examples = [] } }: { readonly schema: Schema }) {
  const [example] = examples;
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return (
    <>
      {defaultValue !== undefined && defaultValue !== "" && (
        <>
          {" "}
          Default: <code>{String(defaultValue)}</code>.
        </>
      )}
      {example !== undefined && (
        <>
          {" "}
          Example: <code>{text}</code>.
        </>
      )}
    </>
  );
}

/** Maximum length of a list of allowed values. Longer lists, such as all error codes, are not shown. */
const ENUM_SHOWN_MAX = 6;

/** JSON Schema, as far as the API document uses it. */
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

/** OpenAPI document, as far as the page shows it. */
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
