/** Clerk's Backend API, as much as we use of it. The key of the instance leaves this file only in a header. */
import type { Egress, EgressRequest } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import type { z } from 'zod';
import { type ClerkUser, clerkErrorsSchema, clerkInvitationSchema, clerkUserSchema } from './clerk-schemas.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_LENGTH = 1_048_576;
const PATIENCE_S = 30;

/** Why a call did not do what it was for. */
export class ClerkFailure extends Error {
  override readonly name = 'ClerkFailure';
  /** 0 where nothing was answered. */
  readonly status: number;
  /** Of Clerk's own list; empty when it gave none. */
  readonly code: string;
  /** Seconds to wait before the next try; undefined where another try is pointless. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, code: string, retryAfterS: number | undefined, cause?: unknown) {
    super(`Clerk answered ${status === 0 ? 'nothing' : `${status} ${code}`.trim()}.`, { cause });
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export type NewClerkInvitation = {
  email: string;
  metadata: Readonly<Record<string, string>>;
  redirectUrl: string;
  expiresInDays: number;
};

/** Everything throws `ClerkFailure`. */
export interface ClerkClient {
  /** Undefined when there is no such user. */
  findUser(subject: string): Promise<ClerkUser | undefined>;
  /** False when there is no such user. */
  setExternalId(subject: string, externalId: string): Promise<boolean>;
  /** Also resolves when the user is gone already. */
  deleteUser(subject: string): Promise<void>;
  /** Clerk mails it. Returns the invitation's id at Clerk. */
  invite(invitation: NewClerkInvitation): Promise<string>;
  /** Also resolves for one that was accepted, revoked or forgotten already. */
  revokeInvitation(id: string): Promise<void>;
}

type Dependencies = { egress: Egress; apiUrl: string; secretKey: string };
type Call = { method: EgressRequest['method']; path: string; body?: unknown };
type Answer = { status: number; body: unknown };

export function createClerkClient(deps: Dependencies): ClerkClient {
  const user = (subject: string) => `/users/${encodeURIComponent(subject)}`;
  return {
    async findUser(subject) {
      const answer = await ask(deps, { method: 'GET', path: user(subject) }, [404]);
      return answer.status === 404 ? undefined : parsed(clerkUserSchema, answer);
    },
    async setExternalId(subject, externalId) {
      const call = { method: 'PATCH', path: user(subject), body: { external_id: externalId } } as const;
      return (await ask(deps, call, [404])).status !== 404;
    },
    async deleteUser(subject) {
      await ask(deps, { method: 'DELETE', path: user(subject) }, [404]);
    },
    async invite({ email, metadata, redirectUrl, expiresInDays }) {
      const body = {
        email_address: email,
        public_metadata: metadata,
        redirect_url: redirectUrl,
        notify: true,
        // People may have an account of another use of this instance; they sign in to it with the ticket.
        ignore_existing: true,
        expires_in_days: expiresInDays,
      };
      return parsed(clerkInvitationSchema, await ask(deps, { method: 'POST', path: '/invitations', body })).id;
    },
    async revokeInvitation(id) {
      await ask(deps, { method: 'POST', path: `/invitations/${encodeURIComponent(id)}/revoke` }, [400, 404]);
    },
  };
}

/** Statuses in `expected` are answers too. */
async function ask(
  deps: Dependencies,
  { method, path, body }: Call,
  expected: readonly number[] = [],
): Promise<Answer> {
  const answer = await deps.egress
    .request({
      tenant: 'installation',
      method,
      url: `${deps.apiUrl}${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${deps.secretKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    .catch((cause: unknown) => {
      const mayRetry = cause instanceof EgressError && cause.retryable;
      throw new ClerkFailure(
        0,
        cause instanceof EgressError ? cause.code : '',
        mayRetry ? PATIENCE_S : undefined,
        cause,
      );
    });
  const { status, retryAfterS } = answer;
  const content = json(answer.text);
  if (status < 300 || expected.includes(status)) return { status, body: content };
  const code = clerkErrorsSchema.safeParse(content).data?.errors[0]?.code ?? '';
  const isPassing = status === 429 || status >= 500 || status === 408;
  throw new ClerkFailure(status, code, isPassing ? (retryAfterS ?? PATIENCE_S) : undefined);
}

function json(text: string): unknown {
  if (text.length > ANSWER_MAX_LENGTH) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function parsed<T>(schema: z.ZodType<T>, { status, body }: Answer): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new ClerkFailure(status, 'answer_not_understood', undefined, result.error);
  return result.data;
}
