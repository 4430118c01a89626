import { X509Certificate } from 'node:crypto';
import type { ConfigProblem } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';

const BLOCK = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^-]*-----END \1-----/g;
const BEGINNING = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * What is wrong with certificate authorities in PEM, of connectors that take some. Text around certificates is fine, and so
 * are blocks of other kinds, which are passed over when calls are made; what holds no certificate would be passed over in
 * silence as well, and every call would fail as if nothing had been entered.
 */
export function certificateProblems(config: JsonObject, field: string): ConfigProblem[] {
  const text = config[field];
  if (typeof text !== 'string' || text === '') return [];
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return [{ field, ...refusal('CONNECTOR_CA_NONE') }];
  if (blocks.length < (text.match(BEGINNING) ?? []).length) return [{ field, ...refusal('CONNECTOR_CA_CUT') }];
  return blocks.every(isCertificate) ? [] : [{ field, ...refusal('CONNECTOR_CA_UNREADABLE') }];
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
