import { ApiError } from '@airdeck/api-client/api-error';
import { t } from '../../language/translate.ts';

/** What an action fails with when its dialog was left. An abort, so that nothing shows, reports or retries it. */
export function cancelled(): ApiError {
  return new ApiError({ endpoint: '', method: '', category: 'abort', code: 'CANCELLED', message: t('Cancelled.') });
}

export function wasCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CANCELLED';
}
