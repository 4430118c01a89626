import type { FastifyInstance, FastifyReply } from 'fastify';
import { createCompany } from '../company.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Incident = {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  status: 'triggered' | 'acknowledged' | 'resolved';
  readonly severity: string;
  readonly createdAt: string;
  readonly notes: string[];
};

const severities: ReadonlySet<string> = new Set(['critical', 'error', 'warning', 'info']);
const laterStatus = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;
const MAX_INCIDENTS = 500;

/** PagerDuty's Events API v2, where the key is in the body, and the part of the REST API around an incident. */
export function createPagerdutyApi(): VendorApi {
  const incidents: Incident[] = [];
  return {
    id: 'pagerduty',
    failures: {
      unauthorized: { status: 401, body: restError(2006, 'You provided an invalid token') },
      forbidden: { status: 403, body: restError(2010, 'Access Denied') },
      rate_limited: { status: 429, headers: { 'retry-after': '8' }, body: restError(2020, 'Rate Limit Exceeded') },
      error_in_200: {
        status: 200,
        body: { status: 'invalid event', message: 'Event object is invalid', errors: ['sandbox'] },
      },
    },
    state: () => ({ incidents }),
    reset: () => void incidents.splice(0),

    register(app, { key, now }) {
      app.post('/v2/enqueue', async (request, reply) =>
        enqueue({ incidents, key, now: now() }, objectOf(request.body), reply),
      );
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          if (request.headers.authorization === `Token token=${key}`) return;
          await reply.code(401).send(restError(2006, 'You provided an invalid token'));
        });
        registerRest(scope, { incidents, now });
        done();
      });
    },
  };
}

type Inbox = { readonly incidents: Incident[]; readonly key: string; readonly now: Date };

function enqueue({ incidents, key, now }: Inbox, event: Record<string, unknown>, reply: FastifyReply): FastifyReply {
  const action = textOf(event.event_action);
  const errors = eventErrors(event, action);
  if (event.routing_key !== key) errors.push("'routing_key' is invalid (must be a 32 character string)");
  if (errors.length > 0) {
    return reply.code(400).send({ status: 'invalid event', message: 'Event object is invalid', errors });
  }
  const dedupKey = textOf(event.dedup_key) || `sandbox-${incidents.length + 1}`;
  const open = incidents.find((incident) => incident.key === dedupKey && incident.status !== 'resolved');
  if (action === 'trigger' && open === undefined) {
    const payload = objectOf(event.payload);
    incidents.push({
      id: `PSANDBOX${String(incidents.length + 1).padStart(4, '0')}`,
      key: dedupKey,
      title: textOf(payload.summary),
      status: 'triggered',
      severity: textOf(payload.severity),
      createdAt: now.toISOString(),
      notes: [],
    });
    if (incidents.length > MAX_INCIDENTS) incidents.shift();
  }
  if (open !== undefined && (action === 'acknowledge' || action === 'resolve')) open.status = laterStatus[action];
  return reply.code(202).send({ status: 'success', message: 'Event processed', dedup_key: dedupKey });
}

function eventErrors(event: Record<string, unknown>, action: string): string[] {
  const errors: string[] = [];
  if (!['trigger', 'acknowledge', 'resolve'].includes(action)) errors.push("'event_action' is invalid");
  if (textOf(event.dedup_key).length > 255) errors.push("'dedup_key' is too long");
  if (action !== 'trigger') {
    if (textOf(event.dedup_key) === '') errors.push("'dedup_key' is missing or blank");
    return errors;
  }
  const payload = objectOf(event.payload);
  if (textOf(payload.summary) === '') errors.push("'payload.summary' is missing or blank");
  if (textOf(payload.source) === '') errors.push("'payload.source' is missing or blank");
  if (!severities.has(textOf(payload.severity)))
    errors.push("'severity' is invalid (must be one of: critical, error, warning, info)");
  if (listOf(event.links).some((link) => textOf(objectOf(link).href) === '')) errors.push("'links.href' is missing");
  return errors;
}

function registerRest(app: FastifyInstance, { incidents, now }: { incidents: Incident[]; now: () => Date }): void {
  app.get('/abilities', async () => ({ abilities: ['sso', 'teams', 'event_rules'] }));
  app.get('/oncalls', async (request) => {
    const query = objectOf(request.query);
    const policy = firstText(query['escalation_policy_ids[]']);
    const found = oncalls().filter((oncall) => policy === '' || oncall.escalation_policy.id === policy);
    const limit = Math.min(Math.max(integerOf(query.limit, 25), 1), 100);
    const offset = Math.max(integerOf(query.offset, 0), 0);
    return {
      oncalls: found.slice(offset, offset + limit),
      limit,
      offset,
      more: offset + limit < found.length,
      total: null,
    };
  });
  app.get('/incidents', async (request) => {
    const key = firstText(objectOf(request.query).incident_key);
    const found = incidents.filter((incident) => key === '' || incident.key === key).toReversed();
    const limit = Math.min(Math.max(integerOf(objectOf(request.query).limit, 25), 1), 100);
    return { incidents: found.slice(0, limit).map(incidentObject), limit, offset: 0, more: found.length > limit };
  });
  app.post<{ Params: { id: string } }>('/incidents/:id/notes', async (request, reply) => {
    const incident = incidents.find(({ id }) => id === request.params.id);
    const content = textOf(objectOf(objectOf(request.body).note).content);
    if (textOf(request.headers.from) === '')
      return reply.code(400).send(restError(2001, 'Invalid Input Provided', ['Requester From header is required']));
    if (incident === undefined) return reply.code(404).send(restError(2100, 'Not Found'));
    incident.notes.push(content);
    return reply
      .code(201)
      .send({ note: { id: `PNOTE${incident.notes.length}`, content, created_at: now().toISOString() } });
  });
}

/** Two levels of one policy for every employee's week: enough to need several pages. */
function oncalls() {
  return createCompany('sandbox').employees.flatMap(({ name }, index) =>
    [1, 2].map((level) => ({
      user: { id: `PUSER${String(index).padStart(3, '0')}`, type: 'user_reference', summary: name },
      escalation_policy: {
        id: `PPOLICY${index % 3}`,
        type: 'escalation_policy_reference',
        summary: `Policy ${index % 3}`,
      },
      escalation_level: level,
      schedule: { id: 'PSCHED1', type: 'schedule_reference', summary: 'Security week' },
      start: '2026-11-16T08:00:00Z',
      end: '2026-11-23T08:00:00Z',
    })),
  );
}

function incidentObject({ id, title, status, createdAt }: Incident) {
  return {
    id,
    type: 'incident',
    title,
    status,
    urgency: 'high',
    created_at: createdAt,
    service: { summary: 'Security' },
    html_url: `https://example.pagerduty.com/incidents/${id}`,
  };
}

function restError(code: number, message: string, errors?: readonly string[]) {
  return { error: { code, message, ...(errors === undefined ? {} : { errors }) } };
}
