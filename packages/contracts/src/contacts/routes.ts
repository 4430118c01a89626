import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoutes } from '../route.ts';
import { contactChangeSchema, contactInputSchema, contactSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/contacts';
const access = { kind: 'tenant', ...requirements.contactDirectory } as const;

export const contactRoutes = defineRoutes({
  'contacts.list': {
    method: 'GET',
    path,
    summary: 'Contacts of the tenant: escalation order first, then by name',
    access,
    params: tenantParamsSchema,
    query: z.strictObject({ q: z.string().trim().max(limits.searchTextMax).optional() }),
    response: z.array(contactSchema),
  },
  'contacts.create': {
    method: 'POST',
    path,
    summary: 'Add a contact',
    access,
    params: tenantParamsSchema,
    body: contactInputSchema,
    status: 201,
    response: contactSchema,
    errors: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'contacts.update': {
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Replace a contact; with `updated_at` only if nobody else has changed it since',
    access,
    params: tenantIdParamsSchema,
    body: contactChangeSchema,
    response: contactSchema,
    errors: ['NOT_FOUND', 'TENANT_MISMATCH', 'CONFLICT'],
  },
  'contacts.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a contact',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
});
