import { createHash } from 'node:crypto';
import { createCompany } from '../company.ts';

export type GraylogRecord = Record<string, unknown>;

export type GraylogMessage = {
  readonly _id: string;
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
  readonly source: string;
  readonly message: string;
  readonly streams: readonly string[];
  readonly [field: string]: unknown;
};

export type GraylogMemory = {
  /** `6.1.4+sandbox`; what the server knows follows from it. */
  version: string;
  readonly definitions: Map<string, GraylogRecord>;
  /** With the secrets as they were written: only `publicNotification` leaves the server. */
  readonly notifications: Map<string, GraylogRecord>;
  readonly streams: readonly GraylogRecord[];
  readonly events: GraylogRecord[];
  readonly messages: GraylogMessage[];
  counter: number;
  /** Somebody else who edits a definition at the worst moment, so many times. */
  interference?:
    | { readonly title: string; readonly how: 'edit_after_read' | 'overwrite_after_write'; left: number }
    | undefined;
};

/** What every route needs. */
export type GraylogDeps = { readonly current: () => GraylogMemory; readonly now: () => Date };

export const DEFAULT_STREAM = '000000000000000000000001';
const EVENTS_STREAM = '000000000000000000000002';
const SYSTEM_STREAM = '000000000000000000000003';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The simulator's company on a Graylog of its own: rules, a webhook and a mail, alerts of a week, messages of an hour. */
export function createGraylogMemory(now: Date): GraylogMemory {
  const memory: GraylogMemory = {
    version: '7.0.2+sandbox',
    definitions: new Map(),
    notifications: new Map(),
    streams: [
      stream(DEFAULT_STREAM, 'Default Stream', { is_default: true }),
      stream(EVENTS_STREAM, 'All events', {}),
      stream(SYSTEM_STREAM, 'All system events', {}),
      stream(objectId('stream firewall'), 'Firewall', {}),
    ],
    events: [],
    messages: [],
    counter: 0,
  };
  seedNotifications(memory);
  seedDefinitions(memory, now);
  seedEvents(memory, now);
  seedMessages(memory, now);
  return memory;
}

/** Whether the server is at least of this version. */
export function isAtLeast(memory: GraylogMemory, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = memory.version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Twenty-four hexadecimal digits, always the same for the same text. */
export function objectId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

export function nextId(memory: GraylogMemory): string {
  memory.counter += 1;
  return objectId(`new ${memory.counter}`);
}

function stream(id: string, title: string, overrides: GraylogRecord): GraylogRecord {
  return {
    id,
    title,
    description: `Messages of ${title}`,
    creator_user_id: 'admin',
    created_at: '2025-01-01T00:00:00.000Z',
    disabled: false,
    matching_type: 'AND',
    is_default: false,
    is_editable: true,
    remove_matches_from_default_stream: false,
    index_set_id: objectId('index set'),
    rules: [],
    outputs: [],
    content_pack: null,
    ...overrides,
  };
}

const webhookId = objectId('notification webhook');

function seedNotifications(memory: GraylogMemory): void {
  memory.notifications.set(webhookId, {
    id: webhookId,
    title: 'Automation: block source',
    description: 'Managed by an automation',
    config: {
      type: 'http-notification-v2',
      url: 'https://hooks.example.net/v1/events',
      method: 'POST',
      time_zone: 'UTC',
      content_type: 'JSON',
      headers: null,
      body_template: '',
      api_key_as_header: true,
      api_key: 'X-Hook-Key',
      api_secret: { set_value: 'sandbox-hook-secret' },
      basic_auth: null,
      skip_tls_verification: false,
    },
  });
  const mailId = objectId('notification mail');
  memory.notifications.set(mailId, {
    id: mailId,
    title: 'Mail to the team',
    description: '',
    config: {
      type: 'email-notification-v1',
      sender: 'graylog@example.net',
      subject: 'Alert',
      email_recipients: ['soc@example.net'],
    },
  });
}

const rules = [
  { title: 'Repeated failed logons', query: 'event_id:4625', priority: 3, state: 'ENABLED', attached: true },
  { title: 'Port scan from outside', query: 'action:deny', priority: 2, state: 'ENABLED', attached: false },
  { title: 'New member of Domain Admins', query: 'event_id:4728', priority: 4, state: 'ENABLED', attached: false },
  { title: 'Unusual service start', query: 'event_id:7045', priority: 1, state: 'DISABLED', attached: true },
] as const;

function seedDefinitions(memory: GraylogMemory, now: Date): void {
  for (const { title, query, priority, state, attached } of rules) {
    const id = objectId(`definition ${title}`);
    memory.definitions.set(id, {
      id,
      _scope: 'DEFAULT',
      title,
      description: `${title}, as configured for training`,
      remediation_steps: 'Ask the owner of the account or host.',
      updated_at: new Date(now.getTime() - 9 * 24 * HOUR_MS).toISOString(),
      matched_at: new Date(now.getTime() - HOUR_MS).toISOString(),
      priority,
      alert: true,
      config: {
        type: 'aggregation-v1',
        query,
        query_parameters: [],
        filters: [],
        streams: [DEFAULT_STREAM],
        stream_categories: [],
        group_by: ['user'],
        series: [{ type: 'count', id: 'count()', field: null }],
        conditions: {
          expression: {
            expr: '>=',
            left: { expr: 'number-ref', ref: 'count()' },
            right: { expr: 'number', value: 20 },
          },
        },
        search_within_ms: 300_000,
        execute_every_ms: 60_000,
        use_cron_scheduling: false,
        cron_expression: null,
        cron_timezone: null,
        event_limit: 100,
      },
      field_spec: {
        user: {
          data_type: 'string',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Graylog's own templates look like that.
          providers: [{ type: 'template-v1', template: '${source.user}', require_values: false }],
        },
      },
      key_spec: ['user'],
      notification_settings: { grace_period_ms: 300_000, backlog_size: 5 },
      notifications: attached ? [{ notification_id: webhookId, notification_parameters: null }] : [],
      storage: [{ type: 'persist-to-streams-v1', streams: [EVENTS_STREAM] }],
      tags: [],
      tactics_techniques: ['T1110'],
      state,
    });
  }
}

function seedEvents(memory: GraylogMemory, now: Date): void {
  const { employees } = createCompany('sandbox');
  for (let index = 0; index < 14; index += 1) {
    const rule = rules[index % rules.length] ?? rules[0];
    const user = employees[index % employees.length]?.account ?? 'svc-backup';
    addEvent(memory, {
      // One rule is gone by now: its events stay, their title does not.
      event_definition_id: index === 5 ? objectId('definition deleted') : objectId(`definition ${rule.title}`),
      timestamp: new Date(now.getTime() - (index * 11 + 1) * HOUR_MS).toISOString(),
      message: `${rule.title}: count()=${20 + index}.0`,
      key: user,
      fields: { user },
      priority: rule.priority,
      replay_info: { query: rule.query, streams: [DEFAULT_STREAM], filters: [] },
    });
  }
}

export function addEvent(memory: GraylogMemory, given: GraylogRecord): void {
  memory.counter += 1;
  const timestamp = String(given.timestamp);
  const startedMs = Date.parse(timestamp) - 5 * MINUTE_MS;
  memory.events.push({
    id: `01JSANDBOX${String(memory.counter).padStart(16, '0')}`,
    event_definition_type: 'aggregation-v1',
    origin_context: `urn:graylog:message:es:graylog_42:${objectId(`origin ${memory.counter}`)}`,
    timestamp,
    timestamp_processing: timestamp,
    timerange_start: new Date(startedMs).toISOString(),
    timerange_end: timestamp,
    streams: [EVENTS_STREAM],
    source_streams: [DEFAULT_STREAM],
    message: 'An event',
    source: 'gl-1.example.net',
    key_tuple: given.key === undefined ? [] : [given.key],
    key: null,
    priority: 2,
    scores: {},
    associated_assets: [],
    tags: [],
    alert: true,
    fields: {},
    group_by_fields: {},
    aggregation_conditions: null,
    replay_info: null,
    tactics_techniques: [],
    ...given,
  });
}

function seedMessages(memory: GraylogMemory, now: Date): void {
  const { employees, domainController } = createCompany('sandbox');
  for (let minute = 60; minute > 0; minute -= 1) {
    const employee = employees[minute % employees.length] ?? employees[0];
    const failed = minute % 5 === 0;
    memory.messages.push({
      _id: objectId(`message ${minute}`),
      timestamp: new Date(now.getTime() - minute * MINUTE_MS).toISOString(),
      source: domainController.name,
      message: failed ? 'An account failed to log on' : 'An account was successfully logged on',
      streams: [DEFAULT_STREAM],
      event_id: failed ? 4625 : 4624,
      user: employee.account,
      src_ip: employee.workstation.address,
    });
  }
}
