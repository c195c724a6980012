import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gsu;

/**
 * Reads a file of certificates. What Node.js cannot read in it, it would pass over without a word, and trust nobody.
 *
 * @returns its text
 * @throws Error that says what is wrong with the file
 */
export function readCertificates(file: string): string {
  const text = readText(file);
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error("the file has no certificate in PEM");
  if (!certificates.every(isCertificate)) throw new Error("a certificate in the file is damaged");
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
