import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { expect, it } from "vitest";
import { element, xml } from "./xml.js";

it("escapes what is filled in, and keeps elements", () => {
  expect(element("a", { b: '"<&>"', c: undefined }, "<x>", xml`<y>${"&"}</y>`).text).toBe(
    '<a b="&quot;&lt;&amp;&gt;&quot;">&lt;x&gt;<y>&amp;</y></a>',
  );
});

it("makes a document of any text, which reads back as it was but for what XML cannot carry", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const document = XmlDocument.fromString(element("a", { b: text }, text).text);
      const carried = text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd");
      expect(document.root.content).toBe(carried);
      document.dispose();
    }),
  );
});
