import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  eventSourceCreatedSchema,
  eventSourceCreateSchema,
  eventSourcePatchSchema,
  eventSourceSchema,
  ingestAnswerSchema,
} from './schema.ts';

export const sourceRoutes = defineRoutes({
  'sources.list': {
    method: 'GET',
    path: '/api/{tenant}/event/sources',
    summary: 'Event sources of the tenant',
    access: { kind: 'tenant', ...requirements.airAutomation },
    params: tenantParamsSchema,
    response: z.array(eventSourceSchema),
  },
  'sources.create': {
    method: 'POST',
    path: '/api/{tenant}/event/sources/new',
    summary: 'Create an event source; the answer shows its token once',
    access: { kind: 'tenant', ...requirements.eventSources },
    params: tenantParamsSchema,
    body: eventSourceCreateSchema,
    status: 201,
    response: eventSourceCreatedSchema,
    errors: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'sources.update': {
    method: 'PATCH',
    path: '/api/{tenant}/event/sources/{id}',
    summary: 'Rename an event source',
    access: { kind: 'tenant', ...requirements.eventSources },
    params: tenantIdParamsSchema,
    body: eventSourcePatchSchema,
    response: eventSourceSchema,
    errors: ['NOT_FOUND'],
  },
  'sources.rotate-token': {
    method: 'POST',
    path: '/api/{tenant}/event/sources/{id}/token',
    summary: 'Replace the token of an event source; the answer shows the new one once, the old one ends',
    access: { kind: 'tenant', ...requirements.eventSources },
    params: tenantIdParamsSchema,
    response: eventSourceCreatedSchema,
    confirm: true,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'sources.delete': {
    method: 'DELETE',
    path: '/api/{tenant}/event/sources/{id}',
    summary: 'Delete an event source; its events stay, its token ends',
    access: { kind: 'tenant', ...requirements.eventSources },
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['NOT_FOUND'],
  },
  'sources.ingest': {
    method: 'POST',
    path: '/api/{tenant}/event/ingest/{source_id}',
    summary:
      'Send events: NDJSON, JSON, plain lines, GELF, CloudEvents or a Graylog notification, optionally gzip, deflate or zstd; answered once they are durable',
    access: { kind: 'source' },
    params: z.strictObject({ tenant: idSchema, source_id: idSchema }),
    /** The token of senders that can set no header, such as Graylog before 5.0. Whatever else stands there is theirs. */
    query: z.object({ token: z.string().max(100).optional() }),
    body: 'raw',
    takes: [
      'application/x-ndjson',
      'application/ndjson',
      'application/json',
      'text/plain',
      'application/cloudevents+json',
      'application/cloudevents-batch+json',
    ],
    status: 202,
    response: ingestAnswerSchema,
    errors: [
      'BODY_TOO_LARGE',
      'BODY_NOT_DECODABLE',
      'IDEMPOTENCY_KEY_REUSED',
      'MEDIA_TYPE_UNSUPPORTED',
      'OVERLOADED',
      'RATE_LIMITED',
      'STORE_UNAVAILABLE',
    ],
  },
});
