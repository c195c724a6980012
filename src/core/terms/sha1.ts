import * as crypto from "node:crypto";

/** SHA-1 in hex, where a name or a comparison wants it; nothing secret. In one call where Node (20.12) has one. */
export const sha1Hex: (data: string | Buffer) => string =
  typeof crypto.hash === "function"
    ? (data) => crypto.hash("sha1", data, "hex")
    : (data) => crypto.createHash("sha1").update(data).digest("hex");
