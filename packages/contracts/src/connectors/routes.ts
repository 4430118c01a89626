import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  connectionTestSchema,
  connectorHealthSchema,
  connectorInputSchema,
  connectorPatchSchema,
  connectorSchema,
  connectorSummarySchema,
  connectorValidationInputSchema,
  connectorValidationSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/connectors';
const access = { kind: 'tenant', ...requirements.integrations } as const;

export const connectorRoutes = defineRoutes({
  'connectors.list': {
    method: 'GET',
    path,
    summary: 'Connectors of the tenant by name, without their configuration',
    // The list is for everybody signed in, detail and set-up are not (spec §6).
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: z.array(connectorSummarySchema),
  },
  'connectors.put': {
    method: 'PUT',
    path,
    summary: 'Create a connector, or replace the one of that id',
    access,
    params: tenantParamsSchema,
    body: connectorInputSchema,
    response: connectorSchema,
    errors: ['NOT_FOUND', 'TENANT_MISMATCH', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'connectors.get': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One connector with its configuration, secrets as masks',
    access,
    params: tenantIdParamsSchema,
    response: connectorSchema,
    errors: ['NOT_FOUND'],
  },
  'connectors.update': {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change what is named: name, options, a secret',
    access,
    params: tenantIdParamsSchema,
    body: connectorPatchSchema,
    response: connectorSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'connectors.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a connector with its secrets; the question names what uses it',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['NOT_FOUND'],
  },
  'connectors.test': {
    method: 'POST',
    path: `${path}/{id}/test`,
    summary: 'Test the connection now',
    access,
    acts: true,
    params: tenantIdParamsSchema,
    response: connectionTestSchema,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  },
  'connectors.pause': {
    method: 'POST',
    path: `${path}/{id}/pause`,
    summary: 'Stop everything that calls the vendor',
    access,
    params: tenantIdParamsSchema,
    response: connectorSchema,
    errors: ['NOT_FOUND'],
  },
  'connectors.resume': {
    method: 'POST',
    path: `${path}/{id}/resume`,
    summary: 'Use a paused connector again; events go on where they stopped',
    access,
    params: tenantIdParamsSchema,
    response: connectorSchema,
    errors: ['NOT_FOUND'],
  },
  'connectors.health': {
    method: 'GET',
    path: `${path}/{id}/health`,
    summary: 'Recent tests and fetches, when the next ones are due, and the last metrics',
    access,
    params: tenantIdParamsSchema,
    response: connectorHealthSchema,
    errors: ['NOT_FOUND'],
  },
  'connectors.validate': {
    method: 'POST',
    path: '/api/tenants/{tenant}/validate_connector_configuration',
    summary: 'Check a configuration and test the connection without saving anything',
    access,
    params: tenantParamsSchema,
    body: connectorValidationInputSchema,
    response: connectorValidationSchema,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  },
});
