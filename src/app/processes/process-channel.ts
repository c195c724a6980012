/**
 * Messages between processes. Each one travels as bytes: Node ends a process that gets a message which it cannot read
 * (one that nests too deep), and bytes can always be read.
 */
import { deserialize, serialize } from "node:v8";

/** A process at the other end of a channel. */
interface Peer {
  send?(bytes: Buffer, done: (error: Error | null) => void): unknown;
  on(event: "message", listener: (bytes: Uint8Array) => void): unknown;
}

/**
 * Sends a message; what is sent to a process that has just died is lost with it.
 *
 * @param done is called once the message is on its way
 * @throws if the message cannot be cloned
 */
export function sendMessage<Message>(peer: Peer, message: Message, done: () => void = () => undefined): void {
  peer.send?.(serialize(message), done);
}

/** @param onUnread is called when a message arrives that cannot be read */
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
