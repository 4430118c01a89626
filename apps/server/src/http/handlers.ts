import type { Role } from '@airdeck/contracts/access/roles';
import type { Route, RouteAnswer, RouteRequest } from '@airdeck/contracts/route';
import type { RouteId, RouteTable } from '@airdeck/contracts/route-table';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VerifiedIdentity } from '../modules/identity/identity-verifier.ts';
import type { TenantScope } from '../tenant-scope.ts';
import type { Confirm } from './confirmation.ts';
import type { KeptAnswer } from './kept-answer.ts';

/** Who calls, as the token and the memberships say. */
export type Caller = {
  readonly userId: string;
  /** E-mail style name shown in stories and audit. */
  readonly username: string;
  readonly fullname: string;
  readonly homeTenant: string;
  readonly via: 'session' | 'api_key';
  /** The key that was used: it opens this one tenant, with at most this role. */
  readonly apiKey?: { readonly id: string; readonly tenant: string; readonly role: Role };
};

type Common = {
  readonly requestId: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** For streams and raw bodies only; JSON handlers return their answer. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply };
};

export type PublicContext = Common;
/** Somebody a provider vouches for, who may have no account of ours yet. */
export type IdentityContext = Common & { readonly identity: VerifiedIdentity; readonly caller: Caller | undefined };
export type SignedInContext = Common & {
  readonly caller: Caller;
  /** For rows with `confirm`: throws the question unless this caller was asked it and now repeats the call. */
  readonly confirm: Confirm;
  /** For answers that stay open: when the token ends, and whether the caller would still be let in. */
  readonly session: { readonly expiresAt: Date; readonly stillAllowed: () => Promise<boolean> };
};
/** `scope` is the only tenant a handler may touch; `role` is the caller's role in it. */
export type TenantContext = SignedInContext & { readonly scope: TenantScope; readonly role: Role };

type ContextOf<R extends Route> = R['access'] extends { kind: 'tenant' }
  ? TenantContext
  : R['access'] extends { kind: 'signed_in' }
    ? SignedInContext
    : R['access'] extends { kind: 'identity' }
      ? IdentityContext
      : PublicContext;

export type Handler<R extends Route> = (request: RouteRequest<R>, context: ContextOf<R>) => Promise<RouteAnswer<R>>;

/** One whose answers are given to many requests. */
export type KeptHandler<R extends Route> = (
  request: RouteRequest<R>,
  context: ContextOf<R>,
) => Promise<KeptAnswer<RouteAnswer<R>>>;

/** What a module contributes: handlers by route id. */
export type Handlers<Ids extends RouteId> = { readonly [Id in Ids]: Handler<RouteTable[Id]> };
export type KeptHandlers<Ids extends RouteId> = { readonly [Id in Ids]: KeptHandler<RouteTable[Id]> };

/** What all modules contribute together. */
export type AllHandlers = { readonly [Id in RouteId]: Handler<RouteTable[Id]> | KeptHandler<RouteTable[Id]> };
