import { describe, expect, it } from "vitest";
import { hideSecrets, hideSecretsOfUrl } from "./safe-text.js";

const SECRET = "0123456789abcdefABCDEFxyz0123456789abcd";
const TOKEN = `bnd_${SECRET}`;
const hex = (text: string): string => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join("");

describe.each([
  ["plain", TOKEN],
  ["encoded", hex(TOKEN)],
  ["encoded in part", `%62nd%5F${SECRET.slice(0, 9)}%30${SECRET.slice(10)}`],
  ["encoded twice", encodeURIComponent(hex(TOKEN))],
  ["encoded four times", encodeURIComponent(encodeURIComponent(encodeURIComponent(hex(TOKEN))))],
  ["beside bytes that are no UTF-8", `%ff%62nd_${SECRET}%fe%`],
  ["broken by a sign that no token has", `bnd_${SECRET.slice(0, 9)}.%00${SECRET.slice(9)}`],
])("a token that is %s", (_, token) => {
  it.each([
    ["a parameter", `/api/records/mst?q=x&t=${token}&size=1`, /^\/api\/records\/mst\?q=x&t=.*&size=1$/],
    ["a path", `/api/records/${token}/draft`, /^\/api\/records\/.*\/draft$/],
    ["a login", `http://${token}@localhost/api`, /^http:\/\/.*@localhost\/api$/],
    ["a nested address", `/?next=${encodeURIComponent(`/x?t=${token}&y`)}`, /^\/\?next=%2Fx/],
  ])("is hidden in %s, and nothing else is", (_, url, rest) => {
    for (const hidden of [hideSecretsOfUrl(url), hideSecrets(url)]) {
      expect(hidden).toMatch(rest);
      let decoded = hidden;
      for (let n = 0; n < 6; n++) {
        decoded = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number(`0x${code}`)));
        for (let at = 0; at + 8 <= SECRET.length; at++) expect(decoded).not.toContain(SECRET.slice(at, at + 8));
      }
    }
  });
});

it("hides what parameters hold by their names, and logins", () => {
  expect(hideSecretsOfUrl("/a?%74oken=s3cret&access_token=x%26y&q=token%3Dx")).toBe(
    "/a?%74oken=***&access_token=***&q=token%3Dx",
  );
  expect(hideSecretsOfUrl("http://me:pass@host/a")).toBe("http://***@host/a");
});

it("hides secrets in lines of the log", () => {
  expect(hideSecrets('{"url":"/api/?t=bnd_abcDEF0123"}')).toBe('{"url":"/api/?t=bnd_***"}');
  expect(hideSecrets("/bnd_a-1/x whsec_Ab+/c9== y")).toBe("/bnd_***/x whsec_*** y");
  expect(hideSecrets('{"url":"/api/?q=%25&t=%62nd_abcDEF0123"}')).toBe('{"url":"/api/?q=%25&t=%62nd_***"}');
});

it("leaves other addresses as they are", () => {
  for (const url of ["/api/records/mst?q=bnd%20x&cursor=%2A", "/%", "/%zz?a=%E2%82%AC", "/api?token_count=3", "*"]) {
    expect(hideSecretsOfUrl(url)).toBe(url);
  }
});
