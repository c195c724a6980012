import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BinderyError, fail } from "../../core/errors.js";
import { type Caller, makeCaller } from "./caller.js";
import { type Handlers, makeAnswerer, packError, runHandlers, unpackError } from "./rpc.js";

/** Values of this depth can be sent, but not read by the receiver. */
const UNREADABLE = 2_500;
/** Values of this depth cannot be sent. */
const UNSENDABLE = 50_000;

function nest(depth: number): unknown {
  let value: unknown = "x";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

const ISSUE = { field: "metadata.title", pointer: "/metadata/title", code: "MISSING", messages: ["It is missing."] };

describe("errors in messages", () => {
  it.each([
    fail("REVISION_STALE", { expected: 3, actual: 4 }),
    fail("DRAFT_INVALID", { issues: [ISSUE] }),
    fail("BODY_MISSING"),
    fail("MODEL_NOT_FOUND", { model: "xyz", known: ["bli", "itc"] }),
  ])("arrive as the same error of the catalogue: $code", (error) => {
    const revived = unpackError(structuredClone(packError(error)));
    expect(revived).toBeInstanceOf(BinderyError);
    expect(revived).toMatchObject({ code: error.code, params: error.params, status: error.status });
    expect(revived.message).toBe(error.message);
    expect((revived as BinderyError).issues).toEqual(error.issues);
  });

  it("keep the stack of their cause for the log", () => {
    const cause = new Error("database or disk is full");
    const revived = unpackError(structuredClone(packError(fail("STORE_UNAVAILABLE", { reason: "full" }, cause))));
    expect(revived.cause).toMatchObject({ message: cause.message, stack: cause.stack });
  });

  it("keep name, message and stack if they are not in the catalogue", () => {
    const error = new TypeError("x is not a function");
    const revived = unpackError(structuredClone(packError(error)));
    expect(revived).not.toBeInstanceOf(BinderyError);
    expect(revived).toMatchObject({ name: "TypeError", message: "x is not a function", stack: error.stack });
  });

  it("may be anything that was thrown", () => {
    expect(unpackError(packError("a text")).message).toBe("a text");
  });
});

describe("calls over a channel", () => {
  let ports: readonly MessagePort[];
  let caller: Caller;
  let expired: string[];
  let release: () => void;

  const handlers: Handlers = {
    add: async (a: number, b: number) => a + b,
    refuse: async () => {
      throw fail("RECORD_NOT_FOUND", { id: "abc" });
    },
    // A result that cannot be cloned cannot be sent.
    oddity: async () => () => undefined,
    oddError: async () => {
      throw fail("RECORD_NOT_FOUND", { id: (() => "abc") as unknown as string });
    },
    nest: async (depth: number) => nest(depth),
    wait: () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    length: async (text: string, _more?: string) => text.length,
  };

  beforeEach(() => {
    const { port1, port2 } = new MessageChannel();
    ports = [port1, port2];
    expired = [];
    caller = makeCaller((message) => port1.postMessage(message), {
      name: "the thread",
      backlog: { calls: 2, textLength: 100 },
      callMs: (name) => (name === "wait" ? 500 : 60_000),
      onExpired: (name) => expired.push(name),
    });
    port1.on("message", (message) => caller.receive(message));
    port1.on("messageerror", () => caller.probe());
    const answerer = makeAnswerer(runHandlers(handlers), (message) => port2.postMessage(message));
    port2.on("message", (message) => answerer.receive(message));
    port2.on("messageerror", () => answerer.noteUnread());
  });

  afterEach(() => {
    for (const port of ports) port.close();
  });

  it("return the result of the function", async () => {
    await expect(caller.call("add", [2, 3])).resolves.toBe(5);
  });

  it("throw the error of the function", async () => {
    await expect(caller.call("refuse", [])).rejects.toMatchObject({ code: "RECORD_NOT_FOUND", status: 404 });
  });

  it("fail with a message if there is no such function, even for an inherited name", async () => {
    await expect(caller.call("toString", [])).rejects.toThrow('no "toString"');
  });

  it("fail instead of waiting if the result cannot be cloned", async () => {
    await expect(caller.call("oddity", [])).rejects.toThrow(/could not be cloned/);
  });

  it("fail if the error cannot be cloned", async () => {
    await expect(caller.call("oddError", [])).rejects.toThrow(/could not be cloned/);
  });

  it("fail without affecting other calls if their arguments or results nest too deep to be read", async () => {
    const other = caller.call("wait", []);
    await expect(caller.call("nest", [UNREADABLE])).rejects.toThrow(/cannot be read/);
    await expect(caller.call("length", [nest(UNREADABLE)])).rejects.toThrow(/cannot be read/);
    await expect(caller.call("nest", [UNSENDABLE])).rejects.toThrow(/call stack/);
    await expect(caller.call("length", [nest(UNSENDABLE)])).rejects.toThrow(/call stack/);
    expect(caller.waiting()).toBe(1);
    await expect(caller.call("add", [1, 1])).resolves.toBe(2);
    release();
    await other;
    expect(expired).toEqual([]);
  });

  it("end with 503 when they take too long, are counted, and a late reply does no harm", async () => {
    await expect(caller.call("wait", [])).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      cause: { reason: "late" },
    });
    expect(expired).toEqual(["wait"]);
    expect(caller.waiting()).toBe(0);
    release();
    await expect(caller.call("add", [1, 1])).resolves.toBe(2);
  });

  it("throw at once if the arguments cannot be cloned, and count nothing", async () => {
    for (let i = 0; i < 5; i++) await expect(caller.call("add", [() => 1])).rejects.toThrow(/could not be cloned/);
    await expect(caller.call("add", [1, 1])).resolves.toBe(2);
  });

  it("are refused if too many wait, and accepted again when one is done", async () => {
    const first = caller.call("wait", []);
    const second = caller.call("add", [1, 2]);
    await expect(caller.call("add", [1, 1])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
    await expect(second).resolves.toBe(3);
    await expect(caller.call("add", [1, 1])).resolves.toBe(2);
    release();
    await first;
  });

  it("are refused if too much text waits, but a single large call is sent", async () => {
    await expect(caller.call("length", ["x".repeat(1_000)])).resolves.toBe(1_000);
    const first = caller.call("length", ["x".repeat(60)]);
    await expect(caller.call("length", ["x", "x".repeat(60)])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await first;
  });

  it("all fail if the thread ends, and a late reply does no harm", async () => {
    const call = caller.call("wait", []);
    caller.dropAll(fail("STORE_UNAVAILABLE", { reason: "the writer stopped" }));
    await expect(call).rejects.toMatchObject({ message: expect.stringContaining("the writer stopped") });
    caller.receive({ id: 1, result: "late" });
    await expect(caller.call("add", [1, 1])).resolves.toBe(2);
  });
});
