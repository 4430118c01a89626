import type { FastifyInstance } from 'fastify';
import { envelope, falconError } from './crowdstrike-answers.ts';
import { type FalconDeps, type FalconHost, hostObject } from './crowdstrike-data.ts';
import { parseFilter } from './crowdstrike-filter.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';

const MAX_IDS = 5000;

/** What an action does to a host, and from where it may be asked. */
const hostActions: Readonly<Record<string, { from: readonly FalconHost['status'][]; to: FalconHost['status'] }>> = {
  contain: { from: ['normal'], to: 'containment_pending' },
  lift_containment: { from: ['contained'], to: 'lift_containment_pending' },
};

export function registerHosts(app: FastifyInstance, { current }: FalconDeps): void {
  app.get('/devices/queries/devices/v1', async (request, reply) => {
    const query = objectOf(request.query);
    const accepts = parseFilter(firstText(query.filter), ['hostname']);
    if (accepts === undefined) return falconError(reply, 400, 'Invalid filter expression supplied');
    const offset = integerOf(query.offset, 0);
    const limit = integerOf(query.limit, 100);
    const found = [...current().hosts.values()].filter(accepts);
    const ids = found.slice(offset, offset + limit).map((host) => host.device_id);
    return envelope({ resources: ids, pagination: { offset, limit, total: found.length } });
  });

  app.post<{ Body: unknown }>('/devices/entities/devices/v2', async (request, reply) => {
    const ids = listOf(objectOf(request.body).ids).map(textOf);
    if (ids.length === 0 || ids.length > MAX_IDS) return falconError(reply, 400, 'ids: between 1 and 5000');
    const found = ids.flatMap((id) => current().hosts.get(id) ?? []);
    const errors = ids
      .filter((id) => !current().hosts.has(id))
      .map((id) => ({ code: 404, message: 'Device not found', id }));
    return envelope({ resources: found.map(hostObject), errors });
  });

  app.post<{ Body: unknown }>('/devices/entities/devices-actions/v2', async (request, reply) => {
    const name = firstText(objectOf(request.query).action_name);
    const action = Object.hasOwn(hostActions, name) ? hostActions[name] : undefined;
    if (action === undefined) return falconError(reply, 400, 'Provided data does not match expected format');
    const ids = listOf(objectOf(request.body).ids).map(textOf);
    const unknown = ids.filter((id) => !current().hosts.has(id));
    if (unknown.length > 0) {
      return reply
        .code(404)
        .send(envelope({ errors: unknown.map((id) => ({ code: 404, message: 'Device not found', id })) }));
    }
    const hosts = ids.flatMap((id) => current().hosts.get(id) ?? []);
    const refused = hosts.find((host) => !action.from.includes(host.status));
    if (refused !== undefined) return falconError(reply, 409, `Device is in state ${refused.status}`);
    for (const host of hosts) host.status = action.to;
    return reply
      .code(202)
      .send(envelope({ resources: ids.map((id) => ({ id, path: '/devices/entities/devices/v1' })) }));
  });
}
