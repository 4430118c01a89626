import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createGithubMemory, GITHUB_ORG, type GithubMemory } from './github-data.ts';
import { githubError, githubFailures, primaryLimitHeaders, secondaryLimit } from './github-failures.ts';
import { listAlerts, listAuditLog } from './github-lists.ts';
import { listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

/**
 * The parts of GitHub's REST API an investigation uses: the audit log, security alerts, members, blocks and issues of the
 * organization `example-org`.
 */
export function createGithubApi(): VendorApi {
  let memory: GithubMemory | undefined;
  return {
    id: 'github',
    failures: githubFailures,
    state: () => ({
      members: [...(memory?.members ?? [])],
      blocked: [...(memory?.blocked ?? [])],
      issues: memory?.issues ?? [],
    }),
    reset() {
      memory = undefined;
    },

    register(app, { key, now, url }) {
      const current = () => {
        memory ??= createGithubMemory(now());
        return memory;
      };
      registerControl(app, current);
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          if (request.headers.authorization !== `Bearer ${key}`) return githubError(reply, 401, 'Bad credentials');
          const limited = current();
          if (limited.secondaryLimit > 0) {
            limited.secondaryLimit -= 1;
            return secondaryLimit(reply);
          }
          reply.headers({ ...primaryLimitHeaders(4999, now()), 'x-oauth-scopes': 'admin:org, read:audit_log, repo' });
          return undefined;
        });
        registerOrganization(scope, { current, url });
        registerMembers(scope, current);
        registerIssues(scope, current);
        done();
      });
    },
  };
}

type Current = () => GithubMemory;
type OrgRoute = { Params: { org: string; user: string } };

/** Not the vendor's: lets a test or a trainer decide what the organization's logs hold. */
function registerControl(app: FastifyInstance, current: Current): void {
  app.post<{ Body: unknown }>('/sandbox/audit-log', async (request) => {
    const entries = listOf(request.body).map(objectOf);
    current().auditLog.push(...entries);
    return { entries: entries.length };
  });
  app.delete('/sandbox/audit-log', async () => {
    current().auditLog.length = 0;
    return { entries: 0 };
  });
  app.post<{ Params: { kind: string }; Body: unknown }>('/sandbox/alerts/:kind', async (request, reply) => {
    const alerts = current().alerts[request.params.kind];
    if (alerts === undefined) return githubError(reply, 404, 'Not Found');
    alerts.push(...listOf(request.body).map(objectOf));
    return { alerts: alerts.length };
  });
  app.post<{ Body: unknown }>('/sandbox/secondary-limit', async (request) => {
    const { times } = objectOf(request.body);
    current().secondaryLimit = typeof times === 'number' ? times : 1;
    return { times: current().secondaryLimit };
  });
}

function registerOrganization(app: FastifyInstance, { current, url }: { current: Current; url: () => string }): void {
  app.get<OrgRoute>('/orgs/:org', async (request, reply) =>
    inOrganization(request, reply, () => ({ login: GITHUB_ORG, id: 9919, plan: { name: 'enterprise', seats: 50 } })),
  );
  app.get<OrgRoute>('/orgs/:org/audit-log', async (request, reply) =>
    inOrganization(request, reply, () => listAuditLog({ log: current().auditLog, url: url() }, request, reply)),
  );
  app.get<{ Params: { org: string; kind: string } }>('/orgs/:org/:kind/alerts', async (request, reply) => {
    const alerts = current().alerts[request.params.kind];
    if (alerts === undefined) return githubError(reply, 404, 'Not Found');
    return inOrganization(request, reply, () => listAlerts({ alerts, url: url() }, request, reply));
  });
  app.get('/user', async () => ({ login: 'airdeck-bot', id: 583231, type: 'User' }));
  app.get<OrgRoute>('/user/memberships/orgs/:org', async (request, reply) =>
    inOrganization(request, reply, () => ({ state: 'active', role: 'admin', organization: { login: GITHUB_ORG } })),
  );
}

function inOrganization(request: FastifyRequest, reply: FastifyReply, answer: () => unknown): unknown {
  const { org } = request.params as { org: string };
  return org.toLowerCase() === GITHUB_ORG ? answer() : githubError(reply, 404, 'Not Found');
}

function registerMembers(app: FastifyInstance, current: Current): void {
  app.get<OrgRoute>('/users/:user', async (request, reply) => {
    const { user } = request.params;
    if (!current().accounts.has(user)) return githubError(reply, 404, 'Not Found');
    return {
      login: user,
      id: 1000 + user.length,
      type: 'User',
      name: user,
      company: null,
      email: null,
      created_at: '2020-01-02T03:04:05Z',
      html_url: `https://github.com/${user}`,
    };
  });
  app.route<OrgRoute>({
    method: ['GET', 'PUT', 'DELETE'],
    url: '/orgs/:org/blocks/:user',
    handler: async (request, reply) => inOrganization(request, reply, () => blocks(current(), request, reply)),
  });
  app.route<OrgRoute>({
    method: ['GET', 'DELETE'],
    url: '/orgs/:org/memberships/:user',
    handler: async (request, reply) => inOrganization(request, reply, () => memberships(current(), request, reply)),
  });
}

function blocks(memory: GithubMemory, request: FastifyRequest<OrgRoute>, reply: FastifyReply): FastifyReply {
  const { user } = request.params;
  if (!memory.accounts.has(user)) return githubError(reply, 404, 'Not Found');
  if (request.method === 'GET') return memory.blocked.has(user) ? empty(reply) : githubError(reply, 404, 'Not Found');
  if (request.method === 'DELETE') {
    memory.blocked.delete(user);
    return empty(reply);
  }
  if (memory.blocked.has(user)) {
    return githubError(reply, 422, 'Blocked user has already been blocked', [{ resource: 'Blocking', code: 'custom' }]);
  }
  memory.blocked.add(user);
  return empty(reply);
}

function memberships(memory: GithubMemory, request: FastifyRequest<OrgRoute>, reply: FastifyReply): FastifyReply {
  const { user } = request.params;
  if (!memory.members.has(user)) return githubError(reply, 404, 'Not Found');
  if (request.method === 'GET') return reply.send({ state: 'active', role: 'member', user: { login: user } });
  memory.members.delete(user);
  return empty(reply);
}

function empty(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}

type RepoRoute = { Params: { owner: string; repo: string; number: string } };

const MAX_ISSUES = 500;

function registerIssues(app: FastifyInstance, current: Current): void {
  app.post<RepoRoute>('/repos/:owner/:repo/issues', async (request, reply) => {
    const { owner, repo } = request.params;
    if (owner !== GITHUB_ORG || repo !== 'app') return githubError(reply, 404, 'Not Found');
    const title = textOf(objectOf(request.body).title);
    if (title === '') {
      return githubError(reply, 422, 'Validation Failed', [
        { resource: 'Issue', field: 'title', code: 'missing_field' },
      ]);
    }
    const memory = current();
    memory.lastIssue += 1;
    const issue = { number: memory.lastIssue, title, body: textOf(objectOf(request.body).body), comments: [] };
    memory.issues.push(issue);
    if (memory.issues.length > MAX_ISSUES) memory.issues.shift();
    return reply.code(201).send({ number: issue.number, title, state: 'open', html_url: issueUrl(issue.number) });
  });
  app.post<RepoRoute>('/repos/:owner/:repo/issues/:number/comments', async (request, reply) => {
    const issue = current().issues.find(({ number }) => String(number) === request.params.number);
    if (issue === undefined) return githubError(reply, 404, 'Not Found');
    issue.comments.push(textOf(objectOf(request.body).body));
    const id = issue.number * 1000 + issue.comments.length;
    return reply.code(201).send({ id, html_url: `${issueUrl(issue.number)}#issuecomment-${id}` });
  });
}

function issueUrl(number: number): string {
  return `https://github.com/${GITHUB_ORG}/app/issues/${number}`;
}
