import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiError, requestError, unknownProperty, validationError } from './graylog-answers.ts';
import { type GraylogDeps, type GraylogMemory, type GraylogRecord, isAtLeast, nextId } from './graylog-data.ts';
import { oldPageList, pageList, pageOf } from './graylog-paging.ts';
import { firstText, listOf, objectOf, textOf } from './request-values.ts';

const known = [
  'id',
  '_scope',
  'title',
  'description',
  'remediation_steps',
  'updated_at',
  'matched_at',
  'priority',
  'alert',
  'config',
  'field_spec',
  'key_spec',
  'notification_settings',
  'notifications',
  'storage',
  'tags',
  'tactics_techniques',
  'state',
  // Read only: taken, and ignored.
  'scheduler',
];

const SYSTEM_SCOPE = 'SYSTEM_NOTIFICATION_EVENT';

type DefinitionRoute = { Params: { id: string }; Querystring: { schedule?: string }; Body: unknown };

export function registerDefinitions(app: FastifyInstance, deps: GraylogDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
  registerSchedule(app, deps);
}

function registerReads(app: FastifyInstance, { current, now }: GraylogDeps): void {
  const all = () => [...current().definitions.values()].map((definition) => shown(current(), definition));

  app.get('/events/definitions/paginated', async (request, reply) => {
    // A stand-in for servers from before this list.
    if (!isAtLeast(current(), 5, 0)) return apiError(reply, 404, 'HTTP 404 Not Found');
    const page = pageOf(all(), request);
    return typeof page === 'string' ? apiError(reply, 400, page) : pageList(page);
  });
  app.get('/events/definitions', async (request, reply) => {
    const page = pageOf(all(), request);
    if (typeof page === 'string') return apiError(reply, 400, page);
    const scheduler = Object.fromEntries(
      page.items.map(({ id }) => [String(id), schedulerOf(current().definitions.get(String(id)))]),
    );
    return { ...oldPageList('event_definitions', page), context: { scheduler } };
  });
  app.get<DefinitionRoute>('/events/definitions/:id', async (request, reply) => {
    const definition = current().definitions.get(request.params.id);
    if (definition === undefined) return missing(reply, request.params.id);
    const answer = shown(current(), definition);
    if (interferes(current(), definition, 'edit_after_read')) {
      definition.description = `${textOf(definition.description)} Edited.`;
      definition.updated_at = now().toISOString();
    }
    return answer;
  });
  app.get<DefinitionRoute>('/events/definitions/:id/with-context', async (request, reply) => {
    const { id } = request.params;
    const definition = current().definitions.get(id);
    if (definition === undefined) return missing(reply, id);
    // Not by id, as beside the list: here the context is that of the one definition.
    return { event_definition: shown(current(), definition), context: { scheduler: schedulerOf(definition) } };
  });
}

function registerWrites(app: FastifyInstance, { current, now }: GraylogDeps): void {
  app.put<DefinitionRoute>('/events/definitions/:id', async (request, reply) => {
    const { id } = request.params;
    const definition = current().definitions.get(id);
    if (definition === undefined) return missing(reply, id);
    const body = objectOf(request.body);
    const unknown = unknownProperty(body, known);
    if (unknown !== undefined) return requestError(reply, current(), { property: unknown, known });
    if (body.id !== id) return validationError(reply, 'id', "Event definition IDs don't match");
    if (textOf(body.title) === '') return validationError(reply, 'title', 'Event Definition title cannot be empty.');
    // Scheduling is the default, and it enables; without it the server takes the definition off its schedule.
    const state = request.query.schedule === 'false' ? 'DISABLED' : 'ENABLED';
    const { scheduler: _scheduler, ...changed } = body;
    // Whoever had read it before saves it after.
    const kept = interferes(current(), definition, 'overwrite_after_write')
      ? { notifications: definition.notifications }
      : {};
    current().definitions.set(id, { ...changed, ...kept, state, updated_at: now().toISOString() });
    return shown(current(), objectOf(current().definitions.get(id)));
  });
  app.post<{ Body: unknown }>('/events/definitions', async (request, reply) => {
    const entity = readEntity(current(), request.body, known);
    if ('property' in entity) return requestError(reply, current(), entity);
    if (textOf(entity.body.title) === '')
      return validationError(reply, 'title', 'Event Definition title cannot be empty.');
    const id = nextId(current());
    const state = firstText(objectOf(request.query).schedule) === 'false' ? 'DISABLED' : 'ENABLED';
    const definition = { notifications: [], ...entity.body, id, state, updated_at: now().toISOString() };
    current().definitions.set(id, definition);
    return shown(current(), definition);
  });
  app.delete<DefinitionRoute>('/events/definitions/:id', async (request, reply) => {
    const definition = current().definitions.get(request.params.id);
    if (definition === undefined) return missing(reply, request.params.id);
    current().definitions.delete(request.params.id);
    return shown(current(), definition);
  });
}

function registerSchedule(app: FastifyInstance, { current }: GraylogDeps): void {
  for (const [step, state] of [
    ['schedule', 'ENABLED'],
    ['unschedule', 'DISABLED'],
  ] as const) {
    app.put<DefinitionRoute>(`/events/definitions/:id/${step}`, async (request, reply) => {
      const definition = current().definitions.get(request.params.id);
      // 400 here, not 404.
      if (definition === undefined) return missing(reply, request.params.id, 400);
      // What the server watches itself with stays on, and the answer does not say so.
      if (step === 'schedule' || definition._scope !== SYSTEM_SCOPE) definition.state = state;
      return reply.code(204).send();
    });
  }
}

function interferes(
  { interference }: GraylogMemory,
  definition: GraylogRecord,
  how: 'edit_after_read' | 'overwrite_after_write',
): boolean {
  if (interference?.how !== how || interference.title !== definition.title || interference.left === 0) return false;
  interference.left -= 1;
  return true;
}

function missing(reply: FastifyReply, id: string, status = 404): FastifyReply {
  return apiError(reply, status, `Event definition <${id}> doesn't exist`);
}

/** The body of a create call: wrapped from 7.0 on, bare before. */
export function readEntity(
  memory: GraylogMemory,
  sent: unknown,
  properties: readonly string[],
): { body: GraylogRecord } | { property: string; known: readonly string[] } {
  const wrapped = isAtLeast(memory, 7, 0);
  const outer = objectOf(sent);
  if (wrapped) {
    const unknown = unknownProperty(outer, ['entity', 'share_request']);
    if (unknown !== undefined) return { property: unknown, known: ['entity', 'share_request'] };
  }
  const body = wrapped ? objectOf(outer.entity) : outer;
  const unknown = unknownProperty(body, properties);
  return unknown === undefined ? { body } : { property: unknown, known: properties };
}

/** Servers before 5.2 say nothing of `state`; there only the scheduler knows. */
function shown(memory: GraylogMemory, definition: GraylogRecord): GraylogRecord {
  const { state, remediation_steps: steps, ...rest } = definition;
  const notifications = listOf(definition.notifications).filter((entry) =>
    memory.notifications.has(textOf(objectOf(entry).notification_id)),
  );
  const base = { ...rest, notifications };
  if (!isAtLeast(memory, 5, 0)) return base;
  return {
    ...base,
    ...(isAtLeast(memory, 6, 0) ? { remediation_steps: steps ?? null } : {}),
    ...(isAtLeast(memory, 5, 2) ? { state } : {}),
    scheduler: schedulerOf(definition),
  };
}

function schedulerOf(definition: GraylogRecord | undefined): GraylogRecord {
  const isScheduled = definition?.state === 'ENABLED';
  return {
    is_scheduled: isScheduled,
    ...(isScheduled
      ? { status: 'runnable', queued_notifications: 0, data: { type: 'event-processor-execution-v1' } }
      : {}),
  };
}
