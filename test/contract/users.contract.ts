import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { TokenRow, UserWriter } from "../../src/ports/store.js";
import type { EngineUnderTest } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

/** What every store must do with users and tokens. */
export function usersContract(under: EngineUnderTest): void {
  describe(`users contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    const addUser = (name: string) => engine.store.transaction((tx) => tx.users.addUser({ name, role: "depositor" }));
    const addToken = (user: string, digest: string, expires?: string, parent?: string) =>
      engine.store.transaction((tx) =>
        tx.users.addToken({
          user,
          name: `token ${digest}`,
          scopes: ["records:read", "records:write"],
          digest,
          ...(expires === undefined ? {} : { expires }),
          ...(parent === undefined ? {} : { parent }),
        }),
      );

    it("finds a user by name, exactly, and by id", async () => {
      const ada = await addUser("Ada");
      expect(ada).toEqual({ id: ada.id, name: "Ada", role: "depositor", created: "2026-11-21T10:00:00.000000+00:00" });
      expect(ada.id).toMatch(/^\d+$/);
      expect(await engine.store.users.findUser("Ada")).toEqual(ada);
      expect(await engine.store.users.getUser(ada.id)).toEqual(ada);
      expect(await engine.store.users.findUser("ada")).toBeUndefined();
      expect(await engine.store.users.findUser("' OR 1=1 --")).toBeUndefined();
      for (const id of ["999", "", "x", "1 OR 1", "1.0", "9".repeat(40)]) {
        expect(await engine.store.users.getUser(id)).toBeUndefined();
      }
    });

    it("lists users by name, with the role that they have now", async () => {
      const bob = await addUser("Bob");
      const ada = await addUser("Ada");
      await engine.store.transaction((tx) => tx.users.setRole(bob.id, "curator"));
      expect(await engine.store.users.listUsers()).toEqual([ada, { ...bob, role: "curator" }]);
    });

    it("refuses a second user of the same name", async () => {
      await addUser("Ada");
      await expect(addUser("Ada")).rejects.toThrow();
    });

    it("finds a token with its user by the digest", async () => {
      const ada = await addUser("Ada");
      const token = await addToken(ada.id, "d1", "2027-01-01T00:00:00.000000+00:00");
      expect(token).toEqual({
        id: token.id,
        user: ada.id,
        name: "token d1",
        scopes: ["records:read", "records:write"],
        created: expect.stringMatching(/^2026-11-21T10:00:00\.\d{6}\+00:00$/),
        expires: "2027-01-01T00:00:00.000000+00:00",
      });
      expect(await engine.store.users.findToken("d1")).toEqual({ token, user: ada });
      expect(await engine.store.users.findToken("d2")).toBeUndefined();
    });

    it("lists tokens newest first, of one user or of all", async () => {
      const ada = await addUser("Ada");
      const bob = await addUser("Bob");
      const first = await addToken(ada.id, "d1");
      const second = await addToken(bob.id, "d2");
      const third = await addToken(ada.id, "d3");
      expect(await engine.store.users.listTokens()).toEqual([third, second, first]);
      expect(await engine.store.users.listTokens(ada.id)).toEqual([third, first]);
      expect(await engine.store.users.listTokens("999")).toEqual([]);
    });

    it("disables a user and lets them in again, and finds them all the same", async () => {
      const ada = await addUser("Ada");
      await addToken(ada.id, "d1");
      const set = (isDisabled: boolean) => engine.store.transaction((tx) => tx.users.setDisabled(ada.id, isDisabled));
      await set(true);
      const disabled = await engine.store.users.findUser("Ada");
      expect(disabled).toEqual({ ...ada, disabled: expect.stringMatching(/^2026-11-21T10:00:00/) });
      expect((await engine.store.users.findToken("d1"))?.user).toEqual(disabled);
      await set(false);
      expect(await engine.store.users.getUser(ada.id)).toEqual(ada);
    });

    it("renames a user, and gives the name to nobody twice", async () => {
      const [ada, bob] = [await addUser("Ada"), await addUser("Bob")];
      const rename = (name: string) => engine.store.transaction((tx) => tx.users.rename(ada.id, name));
      await rename("Lovelace");
      expect(await engine.store.users.listUsers()).toEqual([bob, { ...ada, name: "Lovelace" }]);
      await expect(rename("Bob")).rejects.toThrow();
    });

    it("deletes a user with their tokens, and never gives the id again", async () => {
      const [ada, bob] = [await addUser("Ada"), await addUser("Bob")];
      await addToken(bob.id, "d1");
      await engine.store.transaction((tx) => tx.users.delete(bob.id));
      expect(await engine.store.users.listUsers()).toEqual([ada]);
      expect(await engine.store.users.findToken("d1")).toBeUndefined();
      expect((await addUser("Bob")).id).not.toBe(bob.id);
    });

    it("revokes all tokens of one user, or of all", async () => {
      const [ada, bob] = [await addUser("Ada"), await addUser("Bob")];
      const tokens = [await addToken(ada.id, "a1"), await addToken(ada.id, "a2"), await addToken(bob.id, "b1")];
      const revoke = async (user?: string) =>
        (await engine.store.transaction((tx) => tx.users.revokeTokens(user))).map(({ id }) => id).sort();
      expect(await revoke(ada.id)).toEqual([tokens[0]!.id, tokens[1]!.id]);
      expect(await revoke()).toEqual([tokens[2]!.id]);
      expect(await revoke()).toEqual([]);
    });

    it("keeps the day of the last use", async () => {
      const ada = await addUser("Ada");
      const token = await addToken(ada.id, "d1");
      await engine.store.transaction((tx) => tx.users.touchToken(token.id, "2026-11-21"));
      expect(await engine.store.users.listTokens()).toEqual([{ ...token, lastUsed: "2026-11-21" }]);
    });

    it("revokes a token once, and still finds it", async () => {
      const ada = await addUser("Ada");
      const token = await addToken(ada.id, "d1");
      const revoke = (id: string) => engine.store.transaction((tx) => tx.users.revokeToken(id));
      for (const wrong of ["999", "x", "1.0"]) expect(await revoke(wrong)).toBeUndefined();
      expect(await revoke(token.id)).toEqual([token.id]);
      const revoked = (await engine.store.users.findToken("d1"))?.token.revoked;
      expect(revoked).toMatch(/^2026-11-21T10:00:00\.\d{6}\+00:00$/);
      expect(await revoke(token.id)).toEqual([]);
      expect((await engine.store.users.findToken("d1"))?.token.revoked).toBe(revoked);
    });

    it("revokes with a token what was made by it, and by those, and nothing else", async () => {
      const ada = await addUser("Ada");
      const other = await addToken(ada.id, "other");
      const root = await addToken(ada.id, "root");
      const child = await addToken(ada.id, "child", undefined, root.id);
      const sibling = await addToken(ada.id, "sibling", undefined, root.id);
      const grandchild = await addToken(ada.id, "grandchild", undefined, child.id);
      expect(grandchild.parent).toBe(child.id);
      expect(await engine.store.users.getToken(grandchild.id)).toEqual(grandchild);
      const revoke = (id: string) => engine.store.transaction((tx) => tx.users.revokeToken(id));
      expect(await revoke(sibling.id)).toEqual([sibling.id]);
      expect(await revoke(root.id)).toEqual([root.id, child.id, grandchild.id]);
      const live = (await engine.store.users.listTokens(ada.id)).filter(({ revoked }) => revoked === undefined);
      expect(live).toEqual([other]);
    });

    it("lists a page of a user's tokens, and counts all, and those that work", async () => {
      const ada = await addUser("Ada");
      const bob = await addUser("Bob");
      const made: TokenRow[] = [];
      for (let n = 0; n < 5; n++) made.unshift(await addToken(ada.id, `a${n}`));
      await addToken(bob.id, "b");
      const page = (offset: number, limit: number) => engine.store.users.pageTokens(ada.id, { offset, limit });
      expect(await page(0, 2)).toEqual({ tokens: made.slice(0, 2), total: 5 });
      expect(await page(4, 2)).toEqual({ tokens: made.slice(4), total: 5 });
      expect(await page(6, 2)).toEqual({ tokens: [], total: 5 });
      const expires = "2026-11-22T00:00:00.000000+00:00";
      await addToken(ada.id, "ends", expires);
      await engine.store.transaction((tx) => tx.users.revokeToken(made[0]!.id));
      expect(await engine.store.users.countLiveTokens(ada.id, "2026-11-21T23:59:59.999999+00:00")).toBe(5);
      expect(await engine.store.users.countLiveTokens(ada.id, expires)).toBe(4);
    });

    /** As others come in between where they can. */
    const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

    it("counts the tokens of a user as if alone: of those made at once no more than there may be", async () => {
      const ada = await addUser("Ada");
      const make = (digest: string) =>
        engine.store.transaction(async (tx) => {
          if ((await tx.users.countLiveTokens(ada.id, tx.now)) >= 3) return false;
          await pause();
          await tx.users.addToken({ user: ada.id, name: "t", scopes: ["admin"], digest });
          return true;
        });
      const made = await Promise.all(Array.from({ length: 8 }, (_, n) => make(`d${n}`)));
      expect(made.filter((isMade) => isMade)).toHaveLength(3);
      expect(await engine.store.users.listTokens(ada.id)).toHaveLength(3);
    });

    it.each<[what: string, revoke: (users: UserWriter, user: string, token: string) => Promise<unknown>]>([
      ["one token with its own", (users, _, token) => users.revokeToken(token)],
      ["all tokens of a user", (users, user) => users.revokeTokens(user)],
      ["all tokens of everybody", (users) => users.revokeTokens()],
    ])("revokes with %s also those that are made by them at the same moment", async (_, revoke) => {
      const ada = await addUser("Ada");
      const root = await addToken(ada.id, "root");
      const child = await addToken(ada.id, "child", undefined, root.id);
      const make = (parent: string, digest: string) =>
        engine.store.transaction(async (tx) => {
          const maker = await tx.users.getToken(parent);
          await pause();
          if (maker?.revoked !== undefined) return;
          await tx.users.addToken({ user: ada.id, name: "t", scopes: ["admin"], digest, parent });
        });
      const revokeAll = async (): Promise<void> => {
        await pause();
        await engine.store.transaction((tx) => revoke(tx.users, ada.id, root.id));
      };
      const makers = [root, child].flatMap(({ id }) => [0, 1, 2].map((n) => make(id, `${id} ${n}`)));
      await Promise.all([...makers, revokeAll()]);
      const live = (await engine.store.users.listTokens(ada.id)).filter(({ revoked }) => revoked === undefined);
      expect(live).toEqual([]);
    });

    it("leaves no token of a user who is deleted while tokens are made for them", async () => {
      const ada = await addUser("Ada");
      const make = (digest: string) =>
        engine.store.transaction(async (tx) => {
          if ((await tx.users.findUser("Ada")) === undefined) return;
          await pause();
          await tx.users.addToken({ user: ada.id, name: "t", scopes: ["admin"], digest });
        });
      const erase = async (): Promise<void> => {
        await pause();
        await engine.store.transaction((tx) => tx.users.delete(ada.id));
      };
      await Promise.all([make("d0"), make("d1"), erase(), make("d2")]);
      expect(await engine.store.users.listTokens()).toEqual([]);
    });

    it("gives one of two roles that are set at once, and tells each what it was before", async () => {
      const ada = await addUser("Ada");
      const set = (role: "curator" | "admin") =>
        engine.store.transaction(async (tx) => {
          const before = (await tx.users.findUser("Ada"))!.role;
          await pause();
          await tx.users.setRole(ada.id, role);
          return before;
        });
      const before = await Promise.all([set("curator"), set("admin")]);
      const last = (await engine.store.users.getUser(ada.id))!.role;
      expect([...before, last].sort()).toEqual(["admin", "curator", "depositor"]);
    });
  });
}
