import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { importedIntegrationSchema, openapiDocumentSchema, openapiImportInputSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/openapi';
const access = { kind: 'tenant', ...requirements.integrations } as const;

export const openapiRoutes = defineRoutes({
  'openapi.upload': {
    method: 'POST',
    path: `${path}/documents`,
    summary:
      'Upload a description of an API (OpenAPI 3 or Swagger 2, JSON or YAML, 5 MB at most) and see its operations',
    access,
    params: tenantParamsSchema,
    body: 'raw',
    takes: ['application/json', 'application/yaml'],
    status: 201,
    response: openapiDocumentSchema,
    errors: ['BODY_TOO_LARGE', 'RATE_LIMITED', 'OVERLOADED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'openapi.list': {
    method: 'GET',
    path: `${path}/integrations`,
    summary: 'Integrations the tenant has imported',
    access,
    params: tenantParamsSchema,
    response: z.array(importedIntegrationSchema),
  },
  'openapi.import': {
    method: 'POST',
    path: `${path}/integrations`,
    summary: 'Make an integration of operations of an uploaded description, or a new version of one',
    access,
    params: tenantParamsSchema,
    body: openapiImportInputSchema,
    status: 201,
    response: importedIntegrationSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'CONFIRMATION_REQUIRED', 'RATE_LIMITED', 'OVERLOADED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'openapi.delete': {
    method: 'DELETE',
    path: `${path}/integrations/{id}`,
    summary: 'Delete an imported integration that nothing uses any more',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
});
