import type { FastifyInstance } from 'fastify';
import {
  addEvent,
  DEFAULT_STREAM,
  type GraylogDeps,
  type GraylogMemory,
  type GraylogRecord,
  isAtLeast,
  nextId,
} from './graylog-data.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';

const HOST = 'gl-1.example.net';
/** What a trainer may fire at: the product of the same machine. It is this server's list of allowed addresses. */
const allowedHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const DELIVERY_TIMEOUT_MS = 10_000;

/** Not the vendor's: lets a test or a trainer choose the version, make messages and alerts happen, and get in the way. */
export function registerTraining(app: FastifyInstance, { current, now }: GraylogDeps): void {
  app.post<{ Body: unknown }>('/sandbox/version', async (request) => {
    current().version = textOf(objectOf(request.body).version) || current().version;
    return { version: current().version };
  });
  app.post<{ Body: unknown }>('/sandbox/messages', async (request) => {
    for (const sent of listOf(request.body).map(objectOf)) {
      current().messages.push({
        _id: nextId(current()),
        timestamp: now().toISOString(),
        source: HOST,
        message: 'A message',
        streams: [DEFAULT_STREAM],
        ...sent,
      });
    }
    return { messages: current().messages.length };
  });
  app.post<{ Body: unknown }>('/sandbox/events', async (request) => {
    for (const sent of listOf(request.body)) addEvent(current(), { timestamp: now().toISOString(), ...objectOf(sent) });
    return { events: current().events.length };
  });
  app.post<{ Body: unknown }>('/sandbox/interfere', async (request) => {
    const { event_definition_title: title, how, times } = objectOf(request.body);
    current().interference =
      how === 'edit_after_read' || how === 'overwrite_after_write'
        ? { title: textOf(title), how, left: integerOf(times, 1) }
        : undefined;
    return { interference: current().interference ?? null };
  });
  app.post<{ Body: unknown }>('/sandbox/fire', async (request, reply) => {
    const memory = current();
    const sent = objectOf(request.body);
    const title = textOf(sent.event_definition_title);
    const definition = [...memory.definitions.values()].find((one) => one.title === title);
    if (definition?.state !== 'ENABLED') return reply.code(409).send({ message: `"${title}" raises no alerts.` });
    const event = raise(memory, definition, { ...sent, timestamp: firstText(sent.timestamp) || now().toISOString() });
    const deliveries = await Promise.all(
      attached(memory, definition).map((one) => deliver(one, notificationBody(memory, definition, event))),
    );
    return { event_id: event.id, deliveries };
  });
}

/** The alert with the id that was asked for is raised once; after that it is only sent again. */
function raise(memory: GraylogMemory, definition: GraylogRecord, sent: GraylogRecord): GraylogRecord {
  const known = memory.events.find((one) => sent.id !== undefined && one.id === sent.id);
  if (known !== undefined) return known;
  const { event_definition_title: _title, ...given } = sent;
  const query = textOf(objectOf(definition.config).query);
  addEvent(memory, {
    event_definition_id: definition.id,
    message: String(definition.title),
    priority: definition.priority,
    replay_info: { query, streams: [DEFAULT_STREAM], filters: [] },
    ...given,
  });
  return memory.events.at(-1) ?? {};
}

function attached(memory: GraylogMemory, definition: GraylogRecord): GraylogRecord[] {
  return listOf(definition.notifications).flatMap((entry) => {
    const found = memory.notifications.get(textOf(objectOf(entry).notification_id));
    return found !== undefined && textOf(objectOf(found.config).type).startsWith('http-') ? [found] : [];
  });
}

/** What an HTTP notification posts. */
function notificationBody(memory: GraylogMemory, definition: GraylogRecord, event: GraylogRecord): GraylogRecord {
  const [field = '', value = ''] = textOf(objectOf(definition.config).query).split(':');
  const backlogSize = integerOf(objectOf(definition.notification_settings).backlog_size, 0);
  const backlog = memory.messages.filter((message) => String(message[field]) === value);
  return {
    event_definition_id: definition.id,
    event_definition_type: objectOf(definition.config).type,
    event_definition_title: definition.title,
    event_definition_description: definition.description,
    ...(isAtLeast(memory, 6, 0) ? { remediation_steps: definition.remediation_steps ?? null } : {}),
    job_definition_id: nextId(memory),
    job_trigger_id: nextId(memory),
    event,
    backlog: backlogSize === 0 ? [] : backlog.slice(-backlogSize).map(backlogMessage),
  };
}

function backlogMessage({ _id, timestamp, source, message, streams, ...fields }: GraylogMemory['messages'][number]) {
  return { index: 'graylog_42', id: _id, timestamp, source, message, stream_ids: streams, fields };
}

type Delivery = { notification_id: unknown; title: unknown; status: number | null; error?: string };

/** As the server's job does it: with the credentials of the notification, and any answer outside 2xx a failure. */
async function deliver(notification: GraylogRecord, body: GraylogRecord): Promise<Delivery> {
  const config = objectOf(notification.config);
  const about = { notification_id: notification.id, title: notification.title };
  const url = new URL(textOf(config.url));
  if (!allowedHosts.has(url.hostname)) return { ...about, status: null, error: 'The URL is not on the allow list.' };
  const basic = textOf(objectOf(config.basic_auth).set_value);
  const secret = textOf(objectOf(config.api_secret).set_value);
  if (secret !== '' && config.api_key_as_header !== true) url.searchParams.set(textOf(config.api_key), secret);
  try {
    const { status } = await fetch(url, {
      method: firstText(config.method) || 'POST',
      headers: {
        'content-type': 'application/json',
        ...(basic === '' ? {} : { authorization: `Basic ${Buffer.from(basic, 'utf8').toString('base64')}` }),
        ...(secret !== '' && config.api_key_as_header === true ? { [textOf(config.api_key)]: secret } : {}),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    return { ...about, status };
  } catch (error) {
    return { ...about, status: null, error: error instanceof Error ? error.message : 'It did not answer.' };
  }
}
