import { AppError } from '../../http/app-error.ts';

const AT_MOST_S = 5;

/** No room now. Whoever is refused in one moment is told different times: together again, they would all wait again. */
export function overloaded(): AppError {
  return new AppError('OVERLOADED', { retryAfterS: 1 + Math.floor(Math.random() * AT_MOST_S) });
}
