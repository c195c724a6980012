/**
 * Calls of functions on another thread: a name and plain arguments go over, a result or an error comes back.
 * This file has the messages and the answering side, `caller.ts` the calling side; `workers.ts` knows threads.
 */
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";

/** An error as it travels: one of the catalogue with what makes it again, or anything else for the log. */
export type PackedError =
  | {
      readonly kind: "catalogued";
      readonly code: ErrorCode;
      readonly params: Readonly<Record<string, unknown>>;
      readonly cause?: PackedUnknown;
    }
  | ({ readonly kind: "unknown" } & PackedUnknown);

interface PackedUnknown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Ids of calls grow by 1 on each channel, in the order in which the calls are posted. */
interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Asks whether the other side is responsive, and which calls up to the id `probe` still run there. */
interface ProbeMessage {
  readonly probe: number;
}

/** Message that the calling side posts. */
export type RequestMessage = CallMessage | ProbeMessage;

type ReplyMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PackedError };

/** Message that the answering side posts. */
export type AnswerMessage =
  | ReplyMessage
  /** The answer to a probe. Channels keep the order: a call that is not in `running` has no reply to come. */
  | { readonly probe: number; readonly running: readonly number[] }
  /** A message arrived that cannot be read: perhaps a call. */
  | { readonly isUnread: true };

/** What a thread offers, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Makes an error fit to travel. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof BinderyError)) return { kind: "unknown", ...packUnknown(error) };
  const cause = error.cause === undefined ? {} : { cause: packUnknown(error.cause) };
  return { kind: "catalogued", code: error.code, params: error.params, ...cause };
}

/** The error again: a BinderyError with the same code, params, status and message, or an Error with the same stack. */
export function unpackError(packed: PackedError): Error {
  if (packed.kind === "unknown") return unpackUnknown(packed);
  const cause = packed.cause && unpackUnknown(packed.cause);
  return (fail as (code: ErrorCode, params: unknown, cause?: unknown) => Error)(packed.code, packed.params, cause);
}

function packUnknown(error: unknown): PackedUnknown {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: String(error) };
  return { name: error.name, message: error.message, stack: error.stack ?? error.message };
}

function unpackUnknown({ name, message, stack }: PackedUnknown): Error {
  return Object.assign(new Error(message), { name, stack });
}

/** Sends a message to the caller. @param transfer memory that is handed over with it, not copied */
type SendAnswer = (message: AnswerMessage, transfer: ArrayBuffer[]) => void;

/** The answering side of one channel. */
interface Answerer {
  /** Runs a call and sends its reply, or answers a probe; never throws. */
  receive(message: RequestMessage): void;
  /** A message arrived that cannot be read (`messageerror`). */
  noteUnread(): void;
}

/**
 * Answers calls by running them. A result that cannot be cloned is an error for the caller. Typed arrays among the
 * members of a result must own their memory, which is handed over, or be in shared memory.
 *
 * @param run calls the function of that name
 */
export function makeAnswerer(
  run: (name: string, args: readonly unknown[]) => Promise<unknown>,
  send: SendAnswer,
): Answerer {
  const running = new Set<number>();
  const answer = async ({ id, name, args }: CallMessage): Promise<void> => {
    running.add(id);
    try {
      const result = await run(name, args);
      send({ id, result }, buffersOf(result));
    } catch (error) {
      sendError(id, error);
    }
    running.delete(id);
  };
  const sendError = (id: number, error: unknown): void => {
    try {
      send({ id, error: packError(error) }, []);
    } catch (unsendable) {
      // Its params cannot be cloned.
      send({ id, error: { kind: "unknown", ...packUnknown(unsendable) } }, []);
    }
  };
  return {
    receive: (message) => {
      if ("probe" in message) send({ probe: message.probe, running: [...running] }, []);
      else void answer(message);
    },
    noteUnread: () => send({ isUnread: true }, []),
  };
}

/** Calls handlers by their names. */
export function runHandlers(handlers: Handlers): (name: string, args: readonly unknown[]) => Promise<unknown> {
  return async (name, args) => {
    if (!Object.hasOwn(handlers, name)) throw new Error(`This thread has no "${name}".`);
    return await handlers[name]!(...(args as never[]));
  };
}

/** The memory of all typed arrays among the members of a value. A `Buffer`, or shared memory, may be of others too. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const owns = (member: unknown): member is ArrayBufferView =>
    ArrayBuffer.isView(member) && !Buffer.isBuffer(member) && member.buffer instanceof ArrayBuffer;
  return Object.values(value).flatMap((member) => (owns(member) ? [member.buffer as ArrayBuffer] : []));
}
