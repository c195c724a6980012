import { type ComponentChildren, Fragment } from "preact";
import type { PageView } from "../parts/frame.js";
import type { Place } from "../parts/place.js";
import { Prose } from "../parts/prose.js";
import { Body, Component, SchemaRow } from "../parts/schema.js";
import { Scroll } from "../parts/scroll.js";
import { Table } from "../parts/table.js";
import type { Endpoint, OpenApi, Parameter } from "../views/api-document.js";
import { WORDS } from "../words/page-en.js";

/** The page of the interface, made of its OpenAPI document. */
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
                <EndpointOf key={endpoint.operation.operationId} endpoint={endpoint} />
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

function EndpointOf({ endpoint: { method, path, operation } }: { readonly endpoint: Endpoint }) {
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
      <Scroll label={`Parameters of: ${summary}`}>
        <Table heads={["Name", "In", "Type", "Meaning"]}>
          {parameters.map(({ name, in: place, description, schema }) => (
            <SchemaRow key={place + name} name={name} schema={{ ...schema, ...(description && { description }) }}>
              <td>{place}</td>
            </SchemaRow>
          ))}
        </Table>
      </Scroll>
    </details>
  );
}

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
