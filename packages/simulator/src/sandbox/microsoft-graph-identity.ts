import type { FastifyInstance } from 'fastify';
import { graphError, sendList } from './microsoft-graph-answers.ts';
import { addRisk, findGraphUser, type GraphDeps } from './microsoft-graph-data.ts';
import { firstText, listOf, objectOf, textOf } from './request-values.ts';

const rules = { topMax: 999, defaultTop: 100 };

type UserRoute = { Params: { id: string }; Body: unknown };

export function registerIdentity(app: FastifyInstance, { current, now, url }: GraphDeps): void {
  const noUser = 'Resource does not exist or one of its queried reference-property objects are not present.';

  app.get('/v1.0/users', async (request, reply) =>
    sendList({ records: [...current().users.values()], rules, url: url() }, request, reply),
  );
  app.get<UserRoute>('/v1.0/users/:id', async (request, reply) => {
    const user = findGraphUser(current(), request.params.id);
    if (user === undefined) return graphError(reply, 404, 'Request_ResourceNotFound', noUser);
    const fields = firstText(objectOf(request.query).$select).split(',').filter(Boolean);
    return fields.length === 0 ? user : Object.fromEntries(fields.map((field) => [field, user[field] ?? null]));
  });
  app.patch<UserRoute>('/v1.0/users/:id', async (request, reply) => {
    const user = findGraphUser(current(), request.params.id);
    if (user === undefined) return graphError(reply, 404, 'Request_ResourceNotFound', noUser);
    const { accountEnabled } = objectOf(request.body);
    if (typeof accountEnabled !== 'boolean')
      return graphError(reply, 400, 'Request_BadRequest', 'Invalid property value.');
    user.accountEnabled = accountEnabled;
    return reply.code(204).send();
  });
  app.post<UserRoute>('/v1.0/users/:id/revokeSignInSessions', async (request, reply) => {
    const user = findGraphUser(current(), request.params.id);
    if (user === undefined) return graphError(reply, 404, 'Request_ResourceNotFound', noUser);
    // Said to be done for guests too, whose sessions are another tenant's.
    if (!textOf(user.userPrincipalName).includes('#EXT#')) user.signInSessionsValidFromDateTime = now().toISOString();
    return { '@odata.context': `${url()}/v1.0/$metadata#Edm.Boolean`, value: true };
  });

  app.get('/v1.0/auditLogs/signIns', async (request, reply) =>
    sendList({ records: current().signIns.toReversed(), rules, url: url() }, request, reply),
  );
  app.get('/v1.0/identityProtection/riskyUsers', async (request, reply) =>
    sendList({ records: [...current().riskyUsers.values()], rules, url: url() }, request, reply),
  );
  app.post<{ Body: unknown }>('/v1.0/identityProtection/riskyUsers/confirmCompromised', async (request, reply) => {
    const ids = listOf(objectOf(request.body).userIds).map(textOf);
    if (ids.length === 0 || ids.some((id) => !current().users.has(id))) {
      return graphError(reply, 400, 'BadRequest', 'The user ids are not valid.');
    }
    for (const id of ids) addRisk(current(), { id, riskLevel: 'high', riskState: 'confirmedCompromised' }, now());
    return reply.code(204).send();
  });
}
