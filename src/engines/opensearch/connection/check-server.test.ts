import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { LOCALHOST_CERTIFICATE } from "../../../../test/support/localhost-certificate.js";
import { openSearchClient, type SearchClient } from "./search-client.js";

const servers: Server[] = [];
const clients: SearchClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** @returns `localhost:port` */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  servers.push(server);
  return `localhost:${(server.address() as AddressInfo).port}`;
}

const serve = async (answer: (answer: ServerResponse, path: string) => void): Promise<string> =>
  `http://${await listen(createServer((request, response) => answer(response, request.url ?? "")))}`;

const json = (answer: ServerResponse, body: object, status = 200): void =>
  void answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const versioned = (version: object) => (answer: ServerResponse) => json(answer, { name: "node-1", version });

const html =
  (status: number, text: string, headers = {}) =>
  (answer: ServerResponse): void =>
    void answer.writeHead(status, { "content-type": "text/html", ...headers }).end(`<html>${text}</html>`);

function clientOf(url: string, ca?: string): SearchClient {
  const client = openSearchClient({ urls: [url], ...(ca === undefined ? {} : { ca }) });
  clients.push(client);
  return client;
}

/** Asks for anything. @returns why there is no answer */
const reasonAt = async (url: string, ca?: string): Promise<unknown> => {
  const path = "/bindery-1-records";
  const error = await clientOf(url, ca)
    .send({ method: "PUT", path, body: {} })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "SEARCH_UNAVAILABLE" });
  return (error as { readonly params: { readonly reason: string } }).params.reason;
};

const PLAIN_TO_TLS = "400 The plain HTTP request was sent to HTTPS port";
const REDIRECT = { location: "https://search.example.org/" };

describe("a server that is no OpenSearch of a version that is known to work", () => {
  it.each([
    ["is Elasticsearch 8", versioned({ number: "8.15.2", build_flavor: "default" }), /Elasticsearch 8\.15\.2.*2\.19/],
    ["is Elasticsearch 7", versioned({ number: "7.17.9" }), /Elasticsearch 7\.17\.9.*OpenSearch 2\.19 or newer/],
    ["is OpenSearch 1", versioned({ number: "1.3.20", distribution: "opensearch" }), /OpenSearch 1\.3\.20.*2\.19/],
    ["is an older OpenSearch 2", versioned({ number: "2.4.1", distribution: "opensearch" }), /2\.4\.1.*2\.19 or newer/],
    [
      "hides its version",
      versioned({ number: "7.10.2", distribution: "opensearch" }),
      /override_main_response_version/,
    ],
    ["is a web site", html(200, "Welcome"), /no OpenSearch.*200/],
    ["is a web site without a page there", html(404, "Not found"), /no OpenSearch.*404/],
    ["is another API", (answer: ServerResponse) => json(answer, { status: "ok" }), /no OpenSearch/],
    ["sends what is no JSON", (answer: ServerResponse) => json(answer, []), /no OpenSearch/],
    ["leads to https", html(301, "Moved", REDIRECT), /requires encryption.*https:\/\//],
    ["takes only https, and says so", html(400, PLAIN_TO_TLS), /requires encryption.*https:\/\//],
    ["ends the connection", (answer: ServerResponse) => void answer.destroy(), /closed the connection.*https:\/\//],
    ["wants another password", html(401, "Unauthorized"), /refuses the user or the password of BINDERY_SEARCH_URL/],
    ["is not ready", html(503, "Try again"), /answered 503/],
  ])("is not used if it %s, and the reason says what to do", async (_, answer, reason) => {
    expect(await reasonAt(await serve(answer))).toMatch(reason);
  });

  it("is told from one whose JSON is damaged", async () => {
    const url = await serve(
      (answer) => void answer.writeHead(200, { "content-type": "application/json" }).end("<html>"),
    );
    expect(await reasonAt(url)).toMatch(/no OpenSearch/);
  });
});

describe("encryption that one side does not expect", () => {
  it("is missing where the URL begins with http and the server takes https alone", async () => {
    const url = `http://${await listen(createHttpsServer(LOCALHOST_CERTIFICATE))}`;
    expect(await reasonAt(url)).toMatch(/closed the connection.*has to begin with https:\/\//);
  });

  it("is too much where the URL begins with https and the server does not encrypt", async () => {
    const url = (await serve(versioned({ number: "3.8.0", distribution: "opensearch" }))).replace("http:", "https:");
    expect(await reasonAt(url)).toMatch(/does not encrypt.*has to begin with http:\/\//);
  });

  it("is for another name than that in the URL", async () => {
    const host = await listen(createHttpsServer(LOCALHOST_CERTIFICATE));
    const url = `https://127.0.0.1:${host.split(":")[1]}`;
    expect(await reasonAt(url, LOCALHOST_CERTIFICATE.cert)).toMatch(/certificate .* another name/);
  });

  it("wants a certificate of the client as well", async () => {
    const ca = LOCALHOST_CERTIFICATE.cert;
    const both = { ...LOCALHOST_CERTIFICATE, ca, requestCert: true, rejectUnauthorized: true };
    expect(await reasonAt(`https://${await listen(createHttpsServer(both))}`, ca)).toMatch(
      /certificate of this service/,
    );
  });
});

describe("an OpenSearch", () => {
  it("is asked what it is once, and again after it could not say so", async () => {
    const asked: string[] = [];
    let isReady = false;
    const url = await serve((answer, path) => {
      asked.push(path);
      if (!isReady) json(answer, {}, 503);
      else json(answer, path === "/" ? { version: { number: "2.19.1", distribution: "opensearch" } } : { took: 1 });
    });
    const client = clientOf(url);
    const search = { method: "POST", path: "/_msearch", body: "{}\n" } as const;
    await expect(client.send(search)).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
    isReady = true;
    expect(await client.send(search)).toEqual({ took: 1 });
    expect(await client.send(search)).toEqual({ took: 1 });
    expect(asked).toEqual(["/", "/", "/_msearch", "/_msearch"]);
  });

  it("is used by a user who may not ask what it is, and names the right that is missing elsewhere", async () => {
    const reason =
      "no permissions for [indices:admin/create] and User [name=ada, backend_roles=[], requestedTenant=null]";
    const error = { type: "security_exception", reason };
    const url = await serve((answer) => json(answer, { error: { ...error, root_cause: [error] }, status: 403 }, 403));
    const told = await reasonAt(url);
    expect(told).toMatch(/lacks the right indices:admin\/create/);
    expect(told).not.toContain("ada");
  });
});
