import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { eventSourceCreatedSchema, eventSourceCreateSchema, eventSourceSchema, ingestAnswerSchema } from './schema.ts';

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
  },
  'sources.ingest': {
    method: 'POST',
    path: '/api/{tenant}/event/ingest/{source_id}',
    summary: 'Send events: NDJSON or a JSON array, optionally gzip; answered once they are durable',
    access: { kind: 'source' },
    params: z.strictObject({ tenant: idSchema, source_id: idSchema }),
    body: 'raw',
    status: 202,
    response: ingestAnswerSchema,
    errors: ['BODY_TOO_LARGE', 'BODY_NOT_DECODABLE', 'MEDIA_TYPE_UNSUPPORTED', 'OVERLOADED', 'STORE_UNAVAILABLE'],
  },
});
