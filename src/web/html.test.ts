import { expect, it } from "vitest";
import { html, NOTHING, prose } from "./html.js";

it("escapes text in elements and attributes", () => {
  const text = `<script>"&'`;
  const escaped = "&lt;script&gt;&quot;&amp;&#39;";
  expect(html`<p title="${text}">${text}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`);
});

it("keeps HTML, lists of it and numbers as they are", () => {
  expect(html`<ul>${[html`<li>${1}</li>`, html`<li>${NOTHING}</li>`]}</ul>`.markup).toBe(
    "<ul><li>1</li><li></li></ul>",
  );
});

it("shows what stands between backticks as code", () => {
  expect(prose("Send `<a>` & `b`.").markup).toBe("Send <code>&lt;a&gt;</code> &amp; <code>b</code>.");
  expect(prose("One ` alone.").markup).toBe("One ` alone.");
});
