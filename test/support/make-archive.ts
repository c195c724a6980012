import { deflateRawSync } from "node:zlib";
import { crc32OfBytes } from "../../src/core/crc32.js";

/** Contents by name. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const BLOCK = 512;
const NAME_MAX = 100;

/** A tar archive; names that are too long for their place stand in headers of pax. @param modified of all files */
export function makeTar(files: Files, modified = new Date("2026-11-01T00:00:00Z")): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const member = [tarHeader(name.slice(0, NAME_MAX), "0", bytes.length, modified), padded(bytes)];
    if (name.length <= NAME_MAX) return member;
    const record = Buffer.from(paxRecord("path", name));
    return [tarHeader("PaxHeader", "x", record.length, modified), padded(record), ...member];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function tarHeader(name: string, type: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write(
    `${Math.floor(modified.getTime() / 1_000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
  );
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

/** The length of a record counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length + 2).length;
  return `${length}${rest}`;
}

/** A zip archive of deflated files. */
export function makeZip(files: Files): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt16LE(((2026 - 1980) << 9) | (11 << 5) | 1, 8);
    about.writeUInt32LE(crc32OfBytes(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), about, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), about, rest, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}
