import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from './app-error.ts';

const KEY_MAX_LENGTH = 200;

/** The caller's `Idempotency-Key`, undefined without one. Throws VALIDATION_FAILED for one that is none. */
export function idempotencyKeyOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= KEY_MAX_LENGTH) return key;
  throw new AppError('VALIDATION_FAILED', {
    details: [{ path: 'Idempotency-Key', ...refusal('IDEMPOTENCY_KEY_FORM', { maximum: KEY_MAX_LENGTH }) }],
  });
}
