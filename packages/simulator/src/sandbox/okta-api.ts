import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OktaMemory, OktaStatus, OktaUser } from './okta-data.ts';
import { appendToLog, createOktaMemory, findUser, groupObject, userObject } from './okta-data.ts';
import { INVALID_TOKEN, oktaError, oktaFailures } from './okta-failures.ts';
import { listLog } from './okta-log.ts';
import { firstText, integerOf, listOf, objectOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

/** The parts of Okta's management API an investigation uses: users, their groups and sessions, the System Log. */
export function createOktaApi(): VendorApi {
  let memory: OktaMemory | undefined;
  return {
    id: 'okta',
    failures: oktaFailures,
    state: () => ({
      users: [...(memory?.users.values() ?? [])].map(({ employee, status, sessions }) => ({
        login: employee.email,
        status,
        sessions,
      })),
      groups: [...(memory?.groups.values() ?? [])].map(({ name, members }) => ({ name, members: [...members] })),
    }),
    reset() {
      memory = undefined;
    },

    register(app, { key, now, url }) {
      const current = () => {
        memory ??= createOktaMemory(now());
        return memory;
      };
      // Not the vendor's: lets a test or a trainer add what happened at the vendor.
      app.post<{ Body: unknown }>('/sandbox/log-events', async (request) => {
        for (const event of listOf(request.body)) appendToLog(current(), objectOf(event));
        return { events: current().log.length };
      });
      app.post<UserRoute & { Body: unknown }>('/sandbox/users/:id', async (request, reply) => {
        const user = findUser(current(), request.params.id);
        if (user === undefined) return missing(reply, request.params.id);
        const { locked_out: isLockedOut, blocked: isBlocked } = objectOf(request.body);
        if (isLockedOut === true) user.status = 'LOCKED_OUT';
        if (isBlocked === true) user.isBlocked = true;
        return {};
      });
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          reply.headers({ 'x-rate-limit-limit': '600', 'x-rate-limit-remaining': '599' });
          if (request.headers.authorization === `SSWS ${key}`) return;
          await oktaError(reply, 401, 'E0000011', INVALID_TOKEN);
        });
        scope.get('/api/v1/logs', async (request, reply) =>
          listLog({ memory: current(), now: now(), url: url() }, request, reply),
        );
        registerUsers(scope, { current, now, url });
        registerGroups(scope, current);
        done();
      });
    },
  };
}

type UserRoute = { Params: { id: string } };

type Deps = { readonly current: () => OktaMemory; readonly now: () => Date; readonly url: () => string };

function registerUsers(app: FastifyInstance, { current, now, url }: Deps): void {
  app.get('/api/v1/users', async (request, reply) => listUsers({ memory: current(), url: url() }, request, reply));
  app.get<UserRoute>('/api/v1/users/:id', async (request, reply) => {
    const memory = current();
    // The owner of the token; here the first of the company.
    const found = request.params.id === 'me' ? [...memory.users.values()][0] : findUser(memory, request.params.id);
    return found === undefined ? missing(reply, request.params.id) : userObject(found);
  });
  app.get<UserRoute>('/api/v1/users/:id/groups', async (request, reply) => {
    const user = findUser(current(), request.params.id);
    if (user === undefined) return missing(reply, request.params.id);
    return [...current().groups.values()].filter((group) => group.members.has(user.id)).map(groupObject);
  });
  app.delete<UserRoute>('/api/v1/users/:id/sessions', async (request, reply) => {
    const user = findUser(current(), request.params.id);
    if (user === undefined) return missing(reply, request.params.id);
    user.sessions = 0;
    return reply.code(204).send();
  });
  function take(user: OktaUser, { step, to }: { step: string; to: OktaStatus }): void {
    user.status = to;
    user.statusChanged = now().toISOString();
    appendToLog(current(), lifecycleEvent(user, step, now()));
  }
  app.post<UserRoute>('/api/v1/users/:id/lifecycle/unlock', async (request, reply) => {
    const user = findUser(current(), request.params.id);
    if (user === undefined) return missing(reply, request.params.id);
    const isLocked = user.status === 'LOCKED_OUT' || (user.status === 'ACTIVE' && user.isBlocked);
    if (!isLocked) return oktaError(reply, 403, 'E0000032', 'Unlock is not allowed for this user.');
    user.isBlocked = false;
    take(user, { step: 'unlock', to: 'ACTIVE' });
    return {};
  });
  app.post<{ Params: { id: string; step: string } }>('/api/v1/users/:id/lifecycle/:step', async (request, reply) => {
    const user = findUser(current(), request.params.id);
    const step = Object.hasOwn(lifecycle, request.params.step) ? lifecycle[request.params.step] : undefined;
    if (user === undefined || step === undefined) return missing(reply, request.params.id);
    if (step.from !== undefined && !step.from.includes(user.status)) {
      return oktaError(reply, 400, 'E0000001', `Api validation failed: ${step.refusal}`);
    }
    take(user, { step: request.params.step, to: step.to });
    return step.answersUser ? userObject(user) : {};
  });
}

type LifecycleStep = {
  readonly from?: readonly OktaStatus[];
  readonly to: OktaStatus;
  readonly refusal: string;
  readonly answersUser: boolean;
};

const lifecycle: Readonly<Record<string, LifecycleStep>> = {
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    refusal: 'Cannot suspend a user that is not active',
    answersUser: false,
  },
  unsuspend: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    refusal: 'Cannot unsuspend a user that is not suspended',
    answersUser: false,
  },
  expire_password: {
    from: ['ACTIVE', 'PASSWORD_EXPIRED'],
    to: 'PASSWORD_EXPIRED',
    refusal: 'The user is not active',
    answersUser: true,
  },
  reset_password: {
    from: ['ACTIVE', 'PASSWORD_EXPIRED', 'RECOVERY'],
    to: 'RECOVERY',
    refusal: 'The user is not active',
    answersUser: false,
  },
};

function lifecycleEvent(user: OktaUser, step: string, now: Date): Record<string, unknown> {
  return {
    uuid: `sandbox-${user.id}-${step}-${now.getTime()}`,
    published: now.toISOString(),
    eventType: `user.lifecycle.${step}`,
    version: '0',
    severity: 'INFO',
    displayMessage: `${step.replace('_', ' ')} Okta user`,
    outcome: { result: 'SUCCESS', reason: null },
    target: [{ id: user.id, type: 'User', alternateId: user.employee.email, displayName: user.employee.name }],
  };
}

function listUsers(
  { memory, url }: { memory: OktaMemory; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const query = objectOf(request.query);
  const search = firstText(query.search);
  const login = /^profile\.login eq "([^"\\]*)"$/.exec(search)?.[1];
  if (search !== '' && login === undefined) return oktaError(reply, 400, 'E0000031', 'Invalid search criteria.');
  const limit = Math.min(Math.max(integerOf(query.limit, 200), 1), 200);
  const offset = integerOf(query.after, 0);
  const found = [...memory.users.values()].filter(
    (user) => login === undefined || user.employee.email === login.toLowerCase(),
  );
  if (found.length > offset + limit) {
    const next = new URL(request.url, url);
    next.searchParams.set('after', String(offset + limit));
    reply.header('link', `<${next.href}>; rel="next"`);
  }
  return found.slice(offset, offset + limit).map(userObject);
}

function registerGroups(app: FastifyInstance, current: () => OktaMemory): void {
  app.get('/api/v1/groups', async (request) => {
    const q = firstText(objectOf(request.query).q).toLowerCase();
    return [...current().groups.values()].filter(({ name }) => name.toLowerCase().startsWith(q)).map(groupObject);
  });
  app.route<{ Params: { group: string; user: string } }>({
    method: ['PUT', 'DELETE'],
    url: '/api/v1/groups/:group/users/:user',
    async handler(request, reply) {
      const group = current().groups.get(request.params.group);
      const user = findUser(current(), request.params.user);
      if (group === undefined) return missing(reply, request.params.group, 'UserGroup');
      if (user === undefined) return missing(reply, request.params.user);
      if (group.builtIn)
        return oktaError(reply, 403, 'E0000006', 'You do not have permission to perform the requested action');
      if (request.method === 'PUT') group.members.add(user.id);
      else group.members.delete(user.id);
      return reply.code(204).send();
    },
  });
}

function missing(reply: FastifyReply, id: string, kind = 'User'): FastifyReply {
  return oktaError(reply, 404, 'E0000007', `Not found: Resource not found: ${id} (${kind})`);
}
