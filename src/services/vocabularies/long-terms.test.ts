import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { type WatchedLock, watchLock } from "../../../test/support/watch-lock.js";
import type { Actor } from "../../core/actor.js";

let bindery: OpenServices;
let curator: Actor;
let lock: WatchedLock;

beforeAll(async () => {
  bindery = await openServices();
  await bindery.addUser("curator", "curator");
  const { token } = await bindery.createToken({ user: "curator", scopes: ["vocabularies:write"] });
  curator = await bindery.authenticate(token);
  lock = watchLock(bindery.store);
});
afterAll(async () => {
  lock.release();
  await bindery.dispose();
});
beforeEach(() => {
  lock.work.length = 0;
});

/** A long text that is no words. */
const PADDING = "-".repeat(100_000);
const bodyOf = (id: string, title: string) =>
  JSON.stringify({ id, title: { en: title }, synonyms: [`${title} ${PADDING}`] });

it("are read before the store is locked", async () => {
  const added = bodyOf("prod:9001", "Long");
  await bindery.createTerm(curator, "products", added);
  expect(lock.work).not.toContain(`parse ${added.length}`);
  await bindery.createTerm(curator, "products", JSON.stringify({ id: "prod:9002", title: { en: "Short" } }));
  const replaced = bodyOf("prod:9002", "Long now");
  await bindery.replaceTerm(curator, { vocabulary: "products", id: "prod:9002" }, replaced);
  expect(lock.work).not.toContain(`parse ${replaced.length}`);
  expect(lock.transactions()).toBeGreaterThanOrEqual(3);
});

it("say what is wrong with them after what is wrong with the request", async () => {
  const wrong = JSON.stringify({ title: 5 });
  const replace = (id: string) => bindery.replaceTerm(curator, { vocabulary: "products", id }, wrong);
  expect(await refusalOf(replace("prod:9999"))).toMatchObject({ code: "TERM_NOT_FOUND" });
  expect(await refusalOf(replace("prod:9002"))).toMatchObject({ code: "BODY_INVALID" });
  const once = { token: "1", key: "k", request: "digest" };
  const create = (body: string) => bindery.createTerm(curator, "products", body, { once });
  const { term } = await create(JSON.stringify({ id: "prod:9003", title: { en: "Once" } }));
  expect((await create(wrong)).term).toEqual(term);
});
