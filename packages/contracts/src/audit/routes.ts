import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { limitSchema, tenantParamsSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoutes } from '../route.ts';
import { timeRangeFields, withStartBeforeEnd } from '../time-range.ts';
import { auditPageSchema, auditVerdictSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/audit';
const access = { kind: 'tenant', ...requirements.audit } as const;
const text = z.string().trim().min(1).max(200).optional();

const filters = {
  /** Part of the actor's name, or their id. */
  actor: text,
  /** An action (`user.set_role`) or the beginning of some (`user.`). */
  action: text,
  /** Kind or id of what was acted on. */
  target: text,
  outcome: z.enum(['ok', 'refused']).optional(),
  ...timeRangeFields,
};

export const auditRoutes = defineRoutes({
  'audit.list': {
    method: 'GET',
    path,
    summary: 'Audit records, newest first',
    access,
    params: tenantParamsSchema,
    query: withStartBeforeEnd(
      z.strictObject({
        ...filters,
        cursor: z.string().max(100).optional(),
        limit: limitSchema(limits.auditPageSize),
      }),
    ),
    response: auditPageSchema,
  },
  'audit.verify': {
    method: 'GET',
    path: `${path}/verify`,
    summary: 'Walk the hash chain of the tenant',
    access,
    params: tenantParamsSchema,
    response: auditVerdictSchema,
    errors: ['RATE_LIMITED'],
  },
  'audit.export': {
    method: 'GET',
    path: `${path}/export`,
    summary: 'The filtered records as a CSV or NDJSON file, oldest first',
    access,
    params: tenantParamsSchema,
    query: withStartBeforeEnd(z.strictObject({ ...filters, format: z.enum(['csv', 'ndjson']).default('csv') })),
    response: 'stream',
    sends: ['text/csv', 'application/x-ndjson'],
    errors: ['RATE_LIMITED'],
  },
});
