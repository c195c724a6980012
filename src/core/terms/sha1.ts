import * as crypto from "node:crypto";

/** SHA-1, where a name or a comparison wants it; nothing secret. In one call where Node (20.12) has one. */
export const sha1: (data: string | Buffer) => Buffer =
  typeof crypto.hash === "function"
    ? (data) => crypto.hash("sha1", data, "buffer")
    : (data) => crypto.createHash("sha1").update(data).digest();

/** The same in hex, which is quicker to make than bytes. */
export const sha1Hex: (data: string) => string =
  typeof crypto.hash === "function"
    ? (data) => crypto.hash("sha1", data, "hex")
    : (data) => crypto.createHash("sha1").update(data).digest("hex");
