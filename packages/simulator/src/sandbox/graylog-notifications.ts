import type { FastifyInstance, FastifyReply } from 'fastify';
import { apiError, requestError, unknownProperty, validationError } from './graylog-answers.ts';
import { type GraylogDeps, type GraylogMemory, type GraylogRecord, isAtLeast, nextId } from './graylog-data.ts';
import { readEntity } from './graylog-definitions.ts';
import { oldPageList, pageList, pageOf } from './graylog-paging.ts';
import { listOf, objectOf, textOf } from './request-values.ts';

const known = ['id', '_scope', 'title', 'description', 'config'];
const secretFields = ['api_secret', 'basic_auth'];

const httpFirst = ['type', 'url'];
const httpCredentials = ['basic_auth', 'api_key', 'api_secret'];
const httpLater = ['api_key_as_header', 'skip_tls_verification'];

/** Properties of a configuration of this type that the version knows; undefined for a type it does not. */
function configKnown(memory: GraylogMemory, type: string): readonly string[] | undefined {
  if (type === 'email-notification-v1') return ['type', 'sender', 'subject', 'email_recipients'];
  const http = [
    ...httpFirst,
    ...(isAtLeast(memory, 5, 0) ? httpCredentials : []),
    ...(isAtLeast(memory, 5, 2) ? httpLater : []),
  ];
  if (type === 'http-notification-v1') return http;
  if (type !== 'http-notification-v2' || !isAtLeast(memory, 6, 0)) return undefined;
  return [...http, 'method', 'time_zone', 'content_type', 'headers', 'body_template'];
}

type NotificationRoute = { Params: { id: string }; Body: unknown };

export function registerNotifications(app: FastifyInstance, { current }: GraylogDeps): void {
  const missing = (reply: FastifyReply, id: string) => apiError(reply, 404, `Notification <${id}> doesn't exist`);
  const all = () => [...current().notifications.values()].map(publicNotification);

  app.get('/events/notifications/paginated', async (request, reply) => {
    if (!isAtLeast(current(), 5, 0)) return apiError(reply, 404, 'HTTP 404 Not Found');
    const page = pageOf(all(), request);
    return typeof page === 'string' ? apiError(reply, 400, page) : pageList(page);
  });
  app.get('/events/notifications', async (request, reply) => {
    const page = pageOf(all(), request);
    return typeof page === 'string' ? apiError(reply, 400, page) : oldPageList('notifications', page);
  });
  app.get<NotificationRoute>('/events/notifications/:id', async (request, reply) => {
    const found = current().notifications.get(request.params.id);
    return found === undefined ? missing(reply, request.params.id) : publicNotification(found);
  });
  app.post<{ Body: unknown }>('/events/notifications', async (request, reply) => {
    const entity = readEntity(current(), request.body, known);
    if ('property' in entity) return requestError(reply, current(), entity);
    const refused = refuse(reply, current(), entity.body, undefined);
    if (refused !== undefined) return refused;
    const id = nextId(current());
    const stored = { ...entity.body, id };
    current().notifications.set(id, stored);
    return publicNotification(stored);
  });
  app.put<NotificationRoute>('/events/notifications/:id', async (request, reply) => {
    const before = current().notifications.get(request.params.id);
    if (before === undefined) return missing(reply, request.params.id);
    const body = objectOf(request.body);
    const unknown = unknownProperty(body, known);
    if (unknown !== undefined) return requestError(reply, current(), { property: unknown, known });
    const refused = refuse(reply, current(), body, before);
    if (refused !== undefined) return refused;
    const config = keepSecrets(objectOf(body.config), objectOf(before.config));
    const stored = { ...body, config, id: request.params.id };
    current().notifications.set(request.params.id, stored);
    return publicNotification(stored);
  });
  app.delete<NotificationRoute>('/events/notifications/:id', async (request, reply) => {
    const { id } = request.params;
    current().notifications.delete(id);
    for (const definition of current().definitions.values()) {
      definition.notifications = listOf(definition.notifications).filter(
        (entry) => objectOf(entry).notification_id !== id,
      );
    }
    // Also for one that does not exist.
    return reply.code(204).send();
  });
}

/** Secrets as they are read: only whether they are set. */
export function publicNotification(notification: GraylogRecord): GraylogRecord {
  const config = objectOf(notification.config);
  const shown = secretFields
    .filter((field) => Object.hasOwn(config, field))
    .map((field) => [field, { is_set: isSet(config[field]) }]);
  return { ...notification, config: { ...config, ...Object.fromEntries(shown) } };
}

function refuse(
  reply: FastifyReply,
  memory: GraylogMemory,
  body: GraylogRecord,
  before: GraylogRecord | undefined,
): FastifyReply | undefined {
  const config = objectOf(body.config);
  const type = textOf(config.type);
  const properties = configKnown(memory, type);
  if (properties === undefined) {
    return requestError(reply, memory, {
      property: 'config.type',
      known: ['http-notification-v1', 'email-notification-v1'],
    });
  }
  const unknown = unknownProperty(config, properties);
  if (unknown !== undefined) return requestError(reply, memory, { property: unknown, known: properties });
  if (secretFields.some((field) => objectOf(config[field]).is_set === true)) {
    return requestError(reply, memory, { property: 'is_set', known: ['set_value', 'keep_value', 'delete_value'] });
  }
  if (before === undefined && secretFields.some((field) => objectOf(config[field]).keep_value === true)) {
    return requestError(reply, memory, { property: 'keep_value', known: ['set_value'] });
  }
  if (textOf(body.title) === '') return validationError(reply, 'title', 'Notification title cannot be empty.');
  const isHttp = type.startsWith('http-');
  if (isHttp && !URL.canParse(textOf(config.url))) {
    return validationError(reply, 'url', 'HTTP Notification url cannot be empty.');
  }
  return undefined;
}

function keepSecrets(config: GraylogRecord, before: GraylogRecord): GraylogRecord {
  const kept = secretFields
    .filter((field) => objectOf(config[field]).keep_value === true)
    .map((field) => [field, before[field]]);
  return { ...config, ...Object.fromEntries(kept) };
}

function isSet(value: unknown): boolean {
  return typeof objectOf(value).set_value === 'string';
}
