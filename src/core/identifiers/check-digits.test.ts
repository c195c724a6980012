import { expect, it } from "vitest";
import { faultOfOrcid } from "./check-digits.js";

// Ids that ORCID's own documents show.
it.each(["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X", "0000-0002-1694-233x"])(
  "finds nothing wrong with %s",
  (id) => {
    for (const written of [`orcid:${id}`, `ORCID: ${id}`, `https://orcid.org/${id}`, `http://www.orcid.org/${id}`]) {
      expect(faultOfOrcid(written)).toBeUndefined();
    }
  },
);

it("finds any one digit that is wrong, and any two neighbours that changed places", () => {
  const digits = [..."0000000218250097"];
  const written = (all: readonly string[]): string => `orcid:${all.join("").replace(/(.{4})(?=.)/g, "$1-")}`;
  for (const [i, right] of digits.entries()) {
    for (const digit of "0123456789") {
      if (digit !== right) expect(faultOfOrcid(written(digits.with(i, digit)))).toBe("check digit");
    }
    const next = digits[i + 1];
    if (next === undefined || next === right) continue;
    expect(faultOfOrcid(written(digits.with(i, next).with(i + 1, right)))).toBe("check digit");
  }
});

it.each(["orcid:", "orcid:0000-0002-1825", "orcid:0000000218250097", "https://orcid.org/ada"])(
  "misses the form of an iD in %j",
  (written) => {
    expect(faultOfOrcid(written)).toBe("form");
  },
);

it.each(["", "0000-0002-1825-0098", "researcherid:A-1009-2008", "see orcid:0000-0002-1825-0098", "ror:02bfwt286"])(
  "says nothing of %j, which does not say to be one",
  (written) => {
    expect(faultOfOrcid(written)).toBeUndefined();
  },
);
