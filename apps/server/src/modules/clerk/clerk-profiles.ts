/**
 * What Clerk knows of its users, asked at its Backend API and kept for `KEPT_MS`. One question per user at a time, and a
 * few at all; a change Clerk tells us about is forgotten here at once. Nothing stale is ever answered: where Clerk cannot
 * be asked, the caller gets OVERLOADED.
 */
import { AppError } from '../../http/app-error.ts';
import { isStillAhead } from '../../still-ahead.ts';
import { createWorkLimit } from '../identity/work-limit.ts';
import type { ClerkClient } from './clerk-client.ts';
import { ClerkFailure } from './clerk-client.ts';
import { type ClerkProfile, profileOf } from './clerk-profile.ts';

const KEPT_MS = 30_000;
const KEPT_MAX = 5_000;
const PARALLEL = 8;
const WAITING = 200;

export interface ClerkProfiles {
  /** Undefined when Clerk has no such user. `fresh` asks again whatever is kept. Throws OVERLOADED. */
  find(subject: string, options?: { fresh?: boolean }): Promise<ClerkProfile | undefined>;
  forget(subject: string): void;
}

type Kept = { profile: Promise<ClerkProfile | undefined>; until: number };

export function createClerkProfiles(deps: { client: Pick<ClerkClient, 'findUser'>; now: () => Date }): ClerkProfiles {
  const kept = new Map<string, Kept>();
  const limit = createWorkLimit({ parallel: PARALLEL, waiting: WAITING });

  async function ask(subject: string): Promise<ClerkProfile | undefined> {
    try {
      const user = await limit(() => deps.client.findUser(subject));
      return user === undefined ? undefined : profileOf(user);
    } catch (cause) {
      if (!(cause instanceof ClerkFailure)) throw cause;
      throw new AppError('OVERLOADED', { cause, retryAfterS: cause.retryAfterS ?? 30 });
    }
  }

  return {
    async find(subject, { fresh = false } = {}) {
      const at = deps.now().getTime();
      const known = kept.get(subject);
      const isKept = known !== undefined && isStillAhead(known.until, { at, lastsMs: KEPT_MS });
      if (!fresh && isKept) return await known.profile;
      const entry: Kept = { profile: ask(subject), until: at + KEPT_MS };
      kept.delete(subject);
      const oldest = kept.size >= KEPT_MAX ? kept.keys().next() : undefined;
      if (oldest?.done === false) kept.delete(oldest.value);
      kept.set(subject, entry);
      try {
        return await entry.profile;
      } catch (error) {
        if (kept.get(subject) === entry) kept.delete(subject);
        throw error;
      }
    },
    forget: (subject) => void kept.delete(subject),
  };
}
