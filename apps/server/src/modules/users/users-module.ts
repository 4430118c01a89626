import type { TenantUser } from '@airdeck/contracts/users/schema';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { deleteSignIn, listPeople, type Person, putSignIn } from './users-repository.ts';
import { createUsersService, type UsersDependencies } from './users-service.ts';

export type UsersModule = {
  handlers: Handlers<
    'users.list' | 'users.invite' | 'users.update' | 'users.set-role' | 'users.remove' | 'users.reset-password'
  >;
};

export function createUsersModule(deps: UsersDependencies & { keyedAnswers: Pick<KeyedAnswers, 'once'> }): UsersModule {
  const service = createUsersService(deps);
  return {
    handlers: {
      'users.list': async ({ query }, { scope, role }) => {
        const filter = { limit: query.limit, withDisabled: query.show_all, q: query.q };
        const people = await deps.db.system((tx) => listPeople(tx, scope, filter));
        return people.map((person) => onWire(person, role));
      },
      'users.invite': async ({ body }, context) => {
        const request = { route: 'users.invite', tenant: context.scope.tenantId, context, asked: body } as const;
        return await deps.db.system((tx) =>
          deps.keyedAnswers.once(tx, request, async () =>
            onWire(await service.invite(tx, callOf(context), body), context.role),
          ),
        );
      },
      'users.update': async ({ body: { username, ...change } }, context) =>
        onWire(await service.update(callOf(context), username, change), context.role),
      'users.set-role': async ({ body }, context) =>
        onWire(await service.setRole({ ...callOf(context), confirm: context.confirm }, body), context.role),
      'users.remove': async ({ query }, context) => {
        await service.remove({ ...callOf(context), confirm: context.confirm }, query.username);
        return undefined;
      },
      'users.reset-password': async ({ query }, context) => {
        await service.resetPassword(callOf(context), query.username);
        return undefined;
      },
    },
  };
}

/** Remembers when somebody last signed in; part of the transaction that records it. */
export async function noteSignIn(tx: Tx, userId: string, at: Date): Promise<void> {
  await putSignIn(tx, userId, at);
}

/** With the account: `TenantsService.deleteUser` calls it. */
export async function forgetSignIn(tx: Tx, userId: string): Promise<void> {
  await deleteSignIn(tx, userId);
}

function callOf({ scope, role, caller, requestId }: TenantContext) {
  return { scope, role, by: { actor: auditActor(caller), requestId } };
}

/** How well an account is protected and when it was used is for Admins only. */
function onWire(person: Person, role: TenantContext['role']): TenantUser {
  const isAdmin = role === 'Admin';
  return {
    id: person.id,
    fullname: person.fullname,
    uname: person.uname,
    role: person.role,
    status: person.status,
    mfa_enabled: isAdmin ? person.mfa_enabled : null,
    last_sign_in_at: isAdmin ? (person.last_sign_in_at?.toISOString() ?? null) : null,
    from_provider: person.source === 'provider',
    ...(person.invitation_expired ? { invitation_expired: true } : {}),
  };
}
