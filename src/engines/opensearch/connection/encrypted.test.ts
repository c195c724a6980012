import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALHOST_CERTIFICATE } from "../../../../test/support/localhost-certificate.js";
import { type HttpsFront, startHttpsFront } from "../../../../test/support/services/https-front.js";
import { HAS_OPENSEARCH, searchUrl } from "../../../../test/support/services/opensearch.js";
import { openSearchClient } from "./search-client.js";

const PASSWORD = "s3cret:/@ word";

describe.runIf(HAS_OPENSEARCH)("an encrypted connection to OpenSearch", () => {
  let front: HttpsFront;
  beforeAll(async () => {
    front = await startHttpsFront(await searchUrl(), "bindery", PASSWORD);
  }, 120_000);
  afterAll(() => front?.close());

  /** Asks what OpenSearch is. @returns its answer, or why there is none */
  const ask = async (password: string, ca?: string): Promise<unknown> => {
    const urls = [front.urlFor("bindery", password)];
    const client = openSearchClient({ urls, ...(ca === undefined ? {} : { ca }) });
    try {
      return await client.send({ method: "GET", path: "/" });
    } catch (error) {
      return error;
    } finally {
      await client.close();
    }
  };

  it("trusts the authorities that it is given, and sends the password of the URL", async () => {
    expect(await ask(PASSWORD, LOCALHOST_CERTIFICATE.cert)).toMatchObject({ version: expect.anything() });
  });

  it.each([
    ["nobody vouches for the certificate", PASSWORD, undefined, /certificate .* not trusted; see BINDERY_SEARCH_CA/],
    [
      "the password is wrong",
      "Wr0ng-word",
      LOCALHOST_CERTIFICATE.cert,
      /refuses the user or the password of BINDERY_SEARCH_URL/,
    ],
  ])("says why there is none where %s, and keeps the password to itself", async (_, password, ca, reason) => {
    const error = await ask(password, ca);
    expect(error).toMatchObject({ code: "SEARCH_UNAVAILABLE", message: expect.stringMatching(reason) });
    const shown = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)}`;
    for (const secret of [
      password,
      encodeURIComponent(password),
      Buffer.from(`bindery:${password}`).toString("base64"),
    ])
      expect(shown).not.toContain(secret);
  });
});
