import { AppError } from '../../http/app-error.ts';

const WINDOW_MS = 60_000;
const IDENTITIES_MAX = 10_000;

/** Lets each identity through `max` times a minute, then throws RATE_LIMITED. Counted in this process. */
export function createIdentityRate({ max, now }: { max: number; now: () => Date }) {
  const windows = new Map<string, { startedAt: number; calls: number }>();

  return ({ issuer, subject }: { issuer: string; subject: string }): void => {
    const key = JSON.stringify([issuer, subject]);
    const at = now().getTime();
    const known = windows.get(key);
    const window = known !== undefined && at - known.startedAt < WINDOW_MS ? known : { startedAt: at, calls: 0 };
    if (window.calls >= max) {
      throw new AppError('RATE_LIMITED', { retryAfterS: Math.ceil((window.startedAt + WINDOW_MS - at) / 1000) });
    }
    window.calls++;
    if (known === undefined && windows.size >= IDENTITIES_MAX) windows.clear();
    windows.set(key, window);
  };
}
