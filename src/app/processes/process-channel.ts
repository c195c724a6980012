/**
 * Messages between processes, which are sent as bytes. Node ends a process that receives an unreadable message (one
 * that nests too deep), but bytes can always be read.
 */
import { deserialize, serialize } from "node:v8";

/** The process at the other end of a channel. */
interface Peer {
  send?(bytes: Buffer, done: (error: Error | null) => void): unknown;
  on(event: "message", listener: (bytes: Uint8Array) => void): unknown;
}

/**
 * Sends a message. A message to a process that has just ended is lost.
 *
 * @param done called once the message is sent
 * @throws if the message cannot be cloned
 */
export function sendMessage<Message>(peer: Peer, message: Message, done: () => void = () => undefined): void {
  peer.send?.(serialize(message), done);
}

/** Calls `listener` for each message. @param onUnread called when an unreadable message arrives */
export function onMessages<Message>(peer: Peer, listener: (message: Message) => void, onUnread: () => void): void {
  peer.on("message", (bytes) => {
    let message: Message;
    try {
      message = deserialize(bytes) as Message;
    } catch {
      return onUnread();
    }
    listener(message);
  });
}
