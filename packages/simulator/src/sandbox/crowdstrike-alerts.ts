import type { FastifyInstance } from 'fastify';
import { envelope, falconError } from './crowdstrike-answers.ts';
import type { FalconDeps, FalconMemory, FalconRecord } from './crowdstrike-data.ts';
import { parseFilter, parseSort } from './crowdstrike-filter.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';

const COMBINED_MAX = 1000;
const QUERIES_MAX = 10_000;

export function registerAlerts(app: FastifyInstance, { current, now }: FalconDeps): void {
  app.get('/alerts/queries/alerts/v2', async (request, reply) => {
    const query = objectOf(request.query);
    const found = select(current(), firstText(query.filter), firstText(query.sort));
    const limit = integerOf(query.limit, 100);
    const offset = integerOf(query.offset, 0);
    if (found === undefined) return falconError(reply, 400, 'Invalid filter expression supplied');
    if (limit < 0 || offset + limit > QUERIES_MAX) return falconError(reply, 400, 'limit + offset exceeds 10000');
    const ids = found.slice(offset, offset + limit).map((alert) => alert.composite_id);
    return envelope({ resources: ids, pagination: { offset, limit, total: found.length } });
  });

  app.post<{ Body: unknown }>('/alerts/combined/alerts/v1', async (request, reply) => {
    const body = objectOf(request.body);
    const found = select(current(), textOf(body.filter), textOf(body.sort));
    const limit = integerOf(body.limit, 100);
    if (found === undefined) return falconError(reply, 400, 'Invalid filter expression supplied');
    if (limit < 1 || limit > COMBINED_MAX) return falconError(reply, 400, 'limit must be between 1 and 1000');
    const after = textOf(body.after);
    const start = after === '' ? 0 : found.findIndex((alert) => alert.composite_id === decode(after)) + 1;
    if (after !== '' && start === 0) return falconError(reply, 400, 'invalid after token');
    const page = found.slice(start, start + limit);
    const last = start + limit < found.length ? page.at(-1) : undefined;
    return envelope({
      resources: page,
      pagination: {
        limit,
        total: found.length,
        ...(last === undefined ? {} : { after: encode(textOf(last.composite_id)) }),
      },
    });
  });

  app.post<{ Body: unknown }>('/alerts/entities/alerts/v2', async (request) => {
    const ids = listOf(objectOf(request.body).composite_ids).map(textOf);
    const errors = ids
      .filter((id) => !current().alerts.has(id))
      .map((id) => ({ code: 404, message: 'alert not found', id }));
    return envelope({ resources: ids.flatMap((id) => current().alerts.get(id) ?? []), errors });
  });

  app.patch<{ Body: unknown }>('/alerts/entities/alerts/v3', async (request, reply) => {
    const body = objectOf(request.body);
    const ids = listOf(body.composite_ids).map(textOf);
    const unknown = ids.filter((id) => !current().alerts.has(id));
    if (ids.length === 0) return falconError(reply, 400, 'composite_ids must not be empty');
    const refused = listOf(body.action_parameters)
      .map(objectOf)
      .find((parameter) => !isParameter(parameter));
    if (refused !== undefined) return falconError(reply, 400, `invalid action parameter: ${textOf(refused.name)}`);
    for (const id of ids) {
      const alert = current().alerts.get(id);
      for (const parameter of listOf(body.action_parameters).map(objectOf)) if (alert) change(alert, parameter, now());
    }
    // Without resources, and with errors only where there are some.
    const { meta } = envelope({});
    const errors = unknown.map((id) => ({ code: 404, message: 'alert not found', id }));
    return errors.length === 0 ? { meta } : { meta, errors };
  });
}

const statuses = ['new', 'in_progress', 'reopened', 'closed'];

const changes: Readonly<Record<string, (alert: FalconRecord, value: string, now: Date) => void>> = {
  update_status: (alert, value) => void Object.assign(alert, { status: value }),
  assign_to_uuid: (alert, value) => void Object.assign(alert, { assigned_to_uuid: value }),
  assign_to_user_id: (alert, value) => void Object.assign(alert, { assigned_to_name: value }),
  unassign: (alert) => void Object.assign(alert, { assigned_to_name: null, assigned_to_uuid: null }),
  add_tag: (alert, value) => void Object.assign(alert, { tags: [...new Set([...listOf(alert.tags), value])] }),
  remove_tag: (alert, value) => void Object.assign(alert, { tags: listOf(alert.tags).filter((tag) => tag !== value) }),
  append_comment: (alert, value, now) =>
    void Object.assign(alert, { comments: [...listOf(alert.comments), { value, timestamp: now.toISOString() }] }),
};

function isParameter(parameter: Record<string, unknown>): boolean {
  const name = textOf(parameter.name);
  return Object.hasOwn(changes, name) && (name !== 'update_status' || statuses.includes(textOf(parameter.value)));
}

function change(alert: FalconRecord, parameter: Record<string, unknown>, now: Date): void {
  changes[textOf(parameter.name)]?.(alert, textOf(parameter.value), now);
  alert.updated_timestamp = now.toISOString();
}

function select(memory: FalconMemory, filter: string, sort: string): FalconRecord[] | undefined {
  const accepts = parseFilter(filter);
  const order = parseSort(sort);
  if (accepts === undefined || order === undefined) return undefined;
  return [...memory.alerts.values()].filter(accepts).toSorted(order);
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function decode(token: string): string {
  return Buffer.from(token, 'base64url').toString('utf8');
}
