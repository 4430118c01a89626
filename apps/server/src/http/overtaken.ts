import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from './app-error.ts';

/**
 * A CONFLICT for a change that was made from what somebody else has changed since. `path` is where the change says what it was made
 * from: by it forms know that loading again helps. `message`: in words of the thing, the code's own sentence when left out.
 */
export function overtaken(
  path: 'body.based_on' | 'body.last_updated' | 'body.replaces' | 'body.updated_at',
  options: { message?: string } = {},
): AppError {
  return new AppError('CONFLICT', {
    ...options,
    details: [{ path, ...refusal('FIELD_DIFFERENT_NOW') }],
  });
}
