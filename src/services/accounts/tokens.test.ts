import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { ANONYMOUS } from "../../core/actor.js";
import { LIMITS } from "../../core/limits.js";
import { parseInstant } from "../../core/time.js";
import { isToken, makeToken, TOKEN_BYTES, tokenDigest } from "./tokens.js";

const DAY_MICROS = 24 * 3_600_000_000;
let bindery: OpenServices;

beforeAll(async () => {
  bindery = await openServices({ content: "nothing" });
  await bindery.addUser("Ada Lovelace", "depositor");
});
afterAll(() => bindery.dispose());

const create = (expires?: string) =>
  bindery.createToken({
    user: "Ada Lovelace",
    scopes: ["records:read"],
    ...(expires === undefined ? {} : { expires }),
  });

describe("a token", () => {
  it("says who its user is and what it may do", async () => {
    const { token, row } = await bindery.createToken({
      user: "Ada Lovelace",
      name: "laptop",
      scopes: ["vocabularies:write", "records:read", "records:read"],
    });
    expect(row).toMatchObject({ name: "laptop", scopes: ["records:read", "vocabularies:write"] });
    expect(row.expires).toBeUndefined();
    expect(await bindery.authenticate(token)).toEqual({
      kind: "user",
      user: row.user,
      name: "Ada Lovelace",
      role: "depositor",
      token: row.id,
      scopes: row.scopes,
    });
  });

  it("is not needed to be anonymous, and is wrong in any other form", async () => {
    expect(await bindery.authenticate(undefined)).toEqual(ANONYMOUS);
    const { token } = await create();
    const other = (await openServices({ content: "nothing" })) as OpenServices;
    for (const text of ["", "x", token.slice(0, -1), token.toLowerCase(), `${token} `, "bnd_\0"]) {
      expect((await refusalOf(bindery.authenticate(text))).code, text).toBe("TOKEN_INVALID");
    }
    expect((await refusalOf(other.authenticate(token))).code).toBe("TOKEN_INVALID");
    await other.dispose();
  });

  it("ends when it expires, and says when that was", async () => {
    const { token, row } = await create("12h");
    expect(parseInstant(row.expires!) - parseInstant(row.created)).toBeLessThanOrEqual(DAY_MICROS / 2);
    await bindery.authenticate(token);
    bindery.forward(DAY_MICROS / 2);
    const refusal = await refusalOf(bindery.authenticate(token));
    expect(refusal).toMatchObject({ code: "TOKEN_EXPIRED", params: { expired: row.expires } });
  });

  it("ends when it is revoked", async () => {
    const { token, row } = await create("90d");
    await bindery.revokeToken(row.id);
    expect((await refusalOf(bindery.authenticate(token))).code).toBe("TOKEN_REVOKED");
    await bindery.revokeToken(row.id);
    expect((await refusalOf(bindery.revokeToken("none"))).code).toBe("PARAMETER_INVALID");
  });

  it("is listed with its user and its last use, never with its secret", async () => {
    const { token, row } = await create("2999-01-31");
    await bindery.touchToken(row.id, "2026-11-21");
    const listed = await bindery.listTokens("Ada Lovelace");
    expect(listed[0]).toMatchObject({ id: row.id, userName: "Ada Lovelace", lastUsed: "2026-11-21" });
    expect(await bindery.listTokens()).toEqual(listed);
    expect(JSON.stringify(listed)).not.toContain(token.slice(4, 20));
    expect((await refusalOf(bindery.listTokens("nobody"))).code).toBe("PARAMETER_INVALID");
  });
});

describe("a token made by a token", () => {
  const body = JSON.stringify({ scopes: ["records:read"] });
  /** Somebody with a token of the operator's, one made by that, and one made by this. */
  const family = async (name: string) => {
    await bindery.addUser(name, "depositor");
    const root = await bindery.createToken({ user: name, scopes: ["records:read"] });
    const child = await bindery.createOwnToken(await bindery.authenticate(root.token), body);
    const grandchild = await bindery.createOwnToken(await bindery.authenticate(child.token), body);
    return { root, child, grandchild };
  };
  const codeOf = async (token: string | undefined) => (await refusalOf(bindery.authenticate(token))).code;

  it("names it, and ends with it at once, however far down", async () => {
    const { root, child, grandchild } = await family("grace");
    expect([root.row.parent, child.row.parent, grandchild.row.parent]).toEqual([undefined, root.row.id, child.row.id]);
    await bindery.revokeToken(root.row.id);
    for (const { token } of [root, child, grandchild]) expect(await codeOf(token)).toBe("TOKEN_REVOKED");
    const lines = await bindery.listAudit({ action: "token.revoke", limit: 3 });
    expect(lines.map(({ target }) => target)).toEqual([root, child, grandchild].map(({ row }) => row.id));
    expect(lines.every(({ whom_name }) => whom_name === "grace")).toBe(true);
  });

  it("ends with it where its own user revokes that, and leaves what made it", async () => {
    const { root, child, grandchild } = await family("mary");
    const actor = await bindery.authenticate(root.token);
    await bindery.revokeOwnToken(actor, child.row.id);
    for (const { token } of [child, grandchild]) expect(await codeOf(token)).toBe("TOKEN_REVOKED");
    expect(await bindery.authenticate(root.token)).toEqual(actor);
  });

  it("ends when that expires", async () => {
    await bindery.addUser("anita", "depositor");
    const root = await bindery.createToken({ user: "anita", scopes: ["records:read"], expires: "1h" });
    const child = await bindery.createOwnToken(await bindery.authenticate(root.token), body);
    expect(child.row.expires).toBe(root.row.expires);
    bindery.forward(DAY_MICROS / 24);
    expect(await codeOf(child.token)).toBe("TOKEN_EXPIRED");
  });
});

it("lets a user have so many tokens that work, and says how to have another", async () => {
  await bindery.addUser("jean", "depositor");
  const make = () => bindery.createToken({ user: "jean", scopes: ["records:read"], expires: "1d" });
  const first = await make();
  for (let n = 1; n < LIMITS.tokensPerUserMax; n++) await make();
  const actor = await bindery.authenticate(first.token);
  const refusal = await refusalOf(bindery.createOwnToken(actor, JSON.stringify({ scopes: ["records:read"] })));
  expect([refusal.code, refusal.status]).toEqual(["TOKENS_TOO_MANY", 409]);
  expect(refusal.message).toMatch(/has 100 active tokens.* revoke those/);
  expect((await refusalOf(make())).code).toBe("TOKENS_TOO_MANY");
  await bindery.revokeToken(first.row.id);
  expect((await make()).row.user).toBe(first.row.user);
  const { tokens, total } = await bindery.listOwnTokens(actor, { page: 3, size: 40 });
  expect([tokens.length, total]).toEqual([21, 101]);
  bindery.forward(DAY_MICROS);
  expect((await make()).row.user).toBe(first.row.user);
});

describe("what cannot be made", () => {
  it.each(["", "90", "0d", "-1d", "90 d", "yesterday", "2020-01-01", "2999-02-31", "9999999d", "2999-01-01T00:00"])(
    "is a token that expires at %j",
    async (expires) => {
      expect((await refusalOf(create(expires))).issues).toMatchObject([{ field: "expires", value: expires }]);
    },
  );

  it("reads a day as all of it, in UTC", async () => {
    expect((await create("2999-01-31")).row.expires).toBe("2999-02-01T00:00:00.000000+00:00");
    expect((await create("2999-01-31T10:00:00+02:00")).row.expires).toBe("2999-01-31T08:00:00.000000+00:00");
  });

  it("is a token of nobody, without scopes or with unknown ones", async () => {
    const make = (user: string, scopes: readonly string[]) =>
      refusalOf(bindery.createToken({ user, scopes: scopes as ["admin"] }));
    expect((await make("nobody", ["admin"])).issues).toMatchObject([{ field: "user" }]);
    expect((await make("Ada Lovelace", [])).issues).toMatchObject([{ field: "scope" }]);
    expect((await make("Ada Lovelace", ["all"])).issues).toMatchObject([{ field: "scope", value: "all" }]);
  });

  it.each(["", " a", "a ", "a\nb", "\0", "x".repeat(101), "Ada Lovelace"])("is a user named %j", async (name) => {
    expect((await refusalOf(bindery.addUser(name, "depositor"))).issues).toMatchObject([{ field: "name" }]);
  });
});

const bytes = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES });

it("knows the tokens that it makes", () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const token = makeToken(random);
      expect(token).toMatch(/^bnd_[0-9A-Za-z]{39}$/);
      expect(isToken(token)).toBe(true);
    }),
  );
});

it("makes another token from other bytes", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(makeToken(a) === makeToken(b)).toBe(Buffer.compare(a, b) === 0);
    }),
  );
});

it("knows a token that was changed, cut or lengthened", () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 4, max: 42 }), fc.constantFrom(..."09AZaz"), (random, at, letter) => {
      const token = makeToken(random);
      if (token[at] !== letter) expect(isToken(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
      expect(isToken(token.slice(0, at))).toBe(false);
      expect(isToken(token + letter)).toBe(false);
    }),
  );
});

it("keeps the SHA-256 of a token", () => {
  expect(tokenDigest("bnd_x")).toBe(createHash("sha256").update("bnd_x").digest("hex"));
});
