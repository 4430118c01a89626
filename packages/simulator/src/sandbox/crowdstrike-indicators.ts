import type { FastifyInstance } from 'fastify';
import { envelope, falconError } from './crowdstrike-answers.ts';
import { type FalconDeps, hexId } from './crowdstrike-data.ts';
import { parseFilter } from './crowdstrike-filter.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';

const types = ['sha256', 'md5', 'domain', 'ipv4', 'ipv6'];
const actions = ['no_action', 'allow', 'prevent_no_ui', 'prevent', 'detect'];

export function registerIndicators(app: FastifyInstance, { current, now }: FalconDeps): void {
  app.get('/iocs/combined/indicator/v1', async (request, reply) => {
    const query = objectOf(request.query);
    const accepts = parseFilter(firstText(query.filter));
    if (accepts === undefined) return falconError(reply, 400, 'invalid filter expression');
    const offset = integerOf(query.offset, 0);
    const limit = integerOf(query.limit, 100);
    const found = [...current().indicators.values()].filter(accepts);
    return envelope({
      resources: found.slice(offset, offset + limit),
      pagination: { offset, limit, total: found.length },
    });
  });

  app.post<{ Body: unknown }>('/iocs/entities/indicators/v1', async (request, reply) => {
    const wanted = listOf(objectOf(request.body).indicators).map(objectOf);
    const problem = wanted.map((indicator) => problemOf(indicator, [...current().indicators.values()])).find(Boolean);
    if (wanted.length === 0 || problem !== undefined) return falconError(reply, 400, problem ?? 'indicators missing');
    const created = wanted.map((indicator) => {
      current().counter += 1;
      const id = hexId(`indicator ${current().counter}`);
      const stamp = now().toISOString();
      const stored = { id, ...indicator, created_on: stamp, modified_on: stamp, deleted: false, expired: false };
      current().indicators.set(id, stored);
      return stored;
    });
    return reply.code(201).send(envelope({ resources: created }));
  });

  app.delete('/iocs/entities/indicators/v1', async (request, reply) => {
    const query = objectOf(request.query);
    const accepts = parseFilter(firstText(query.filter));
    const byFilter = firstText(query.filter) !== '';
    if (accepts === undefined) return falconError(reply, 400, 'invalid filter expression');
    const asked = (Array.isArray(query.ids) ? query.ids : [query.ids]).map(textOf).filter(Boolean);
    // As at the vendor: with a filter the ids do not count.
    const ids = byFilter ? [...current().indicators].filter(([, one]) => accepts(one)).map(([id]) => id) : asked;
    const unknown = ids.filter((id) => !current().indicators.has(id));
    if (unknown.length > 0) return falconError(reply, 404, `Indicators not found: ${unknown.join(', ')}`);
    for (const id of ids) current().indicators.delete(id);
    return envelope({ resources: ids });
  });
}

function problemOf(indicator: Record<string, unknown>, known: readonly Record<string, unknown>[]): string | undefined {
  if (!types.includes(textOf(indicator.type))) return `unsupported type: ${textOf(indicator.type)}`;
  if (!actions.includes(textOf(indicator.action))) return `unsupported action: ${textOf(indicator.action)}`;
  if (listOf(indicator.platforms).length === 0) return 'platforms is required';
  if (indicator.applied_globally !== true && listOf(indicator.host_groups).length === 0)
    return 'host_groups is required';
  const isDuplicate = known.some((one) => one.type === indicator.type && one.value === indicator.value);
  return isDuplicate ? `Duplicate type: '${textOf(indicator.type)}' and value` : undefined;
}
