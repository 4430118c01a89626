import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  billingInputSchema,
  billingSchema,
  contractFileSchema,
  contractInputSchema,
  contractSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/contract';
const access = { kind: 'tenant', ...requirements.termDates } as const;

export const contractRoutes = defineRoutes({
  'contract.get': {
    method: 'GET',
    path,
    summary: 'Term dates, seats and files of the contract; 404 while there is none',
    access,
    params: tenantParamsSchema,
    response: contractSchema,
    errors: ['NOT_FOUND'],
  },
  'contract.set': {
    method: 'PUT',
    path,
    summary:
      'Set term dates and seats, with `replaces` only if nobody else has changed them since; for the provider that manages the tenant',
    access,
    params: tenantParamsSchema,
    body: contractInputSchema,
    response: contractSchema,
    errors: ['ROLE_TOO_LOW', 'CONFLICT'],
  },
  'contract.download': {
    method: 'GET',
    path: `${path}/download/{file}`,
    summary: 'A link to one file, good for two minutes',
    access,
    params: z.strictObject({ tenant: idSchema, file: z.string().max(4096) }),
    response: z.strictObject({ url: z.string() }),
    errors: ['NOT_FOUND'],
  },
  'contract.upload': {
    method: 'POST',
    path: `${path}/files`,
    summary: 'Add a file (PDF, 20 MB at most) named by the name parameter; for the provider that manages the tenant',
    access,
    params: tenantParamsSchema,
    query: z.strictObject({ name: z.string().trim().min(1).max(200) }),
    body: 'raw',
    takes: ['application/pdf'],
    status: 201,
    response: contractFileSchema,
    errors: [
      'ROLE_TOO_LOW',
      'NOT_FOUND',
      'BODY_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'FILE_INFECTED',
      'SCANNER_UNAVAILABLE',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  'contract.delete-file': {
    method: 'DELETE',
    path: `${path}/files/{id}`,
    summary: 'Remove a file; for the provider that manages the tenant',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['ROLE_TOO_LOW', 'NOT_FOUND'],
  },
  'contract.billing': {
    method: 'GET',
    path: `${path}/billing`,
    summary: 'Billing information',
    access,
    params: tenantParamsSchema,
    response: billingSchema,
  },
  'contract.set-billing': {
    method: 'PUT',
    path: `${path}/billing`,
    summary: 'Change the billing information; with `replaces` only if nobody else has changed it since',
    access,
    params: tenantParamsSchema,
    body: billingInputSchema,
    response: billingSchema,
    errors: ['CONFLICT'],
  },
  'files.download': {
    method: 'GET',
    path: '/files/{link}',
    summary: 'The file behind a download link',
    access: { kind: 'public' },
    params: z.strictObject({ link: z.string().max(1000) }),
    response: 'stream',
    sends: ['application/pdf'],
    errors: ['NOT_FOUND'],
  },
});
