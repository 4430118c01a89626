import { X509Certificate } from 'node:crypto';
import type { JsonObject } from '@airdeck/contracts/fields';

const BLOCK = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^-]*-----END \1-----/g;
const BEGINNING = /-----BEGIN /g;

/**
 * What is wrong with certificate authorities in PEM, of connectors that take some. Text around certificates is fine; what
 * holds none would be passed over in silence, and every call would fail as if nothing had been entered.
 */
export function certificateProblems(config: JsonObject, field: string): { field: string; message: string }[] {
  const text = config[field];
  if (typeof text !== 'string' || text === '') return [];
  const blocks = text.match(BLOCK) ?? [];
  const told = (message: string) => [{ field, message }];
  if (blocks.length === 0) {
    return told('holds no certificate. Copy all of it, from its line BEGIN CERTIFICATE to its line END CERTIFICATE');
  }
  if (blocks.length < (text.match(BEGINNING) ?? []).length) {
    return told('holds a certificate that is cut off, or something else than certificates');
  }
  return blocks.every(isCertificate) ? [] : told('holds a certificate that cannot be read. Copy it again');
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
