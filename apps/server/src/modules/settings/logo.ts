import { limits } from '@airdeck/contracts/limits';
import { AppError } from '../../http/app-error.ts';

const PREFIX = 'data:image/png;base64,';
const PNG_BEGINS = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Throws VALIDATION_FAILED unless the data URL holds what its type says, no larger than a logo may be. */
export function requirePng(dataUrl: string): void {
  const bytes = Buffer.from(dataUrl.slice(PREFIX.length), 'base64');
  if (bytes.subarray(0, PNG_BEGINS.length).equals(PNG_BEGINS) && bytes.length <= limits.logoMaxBytes) return;
  const message = 'A PNG picture of 64 kB at most.';
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path: 'body.brand.logo', message }] });
}
