import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { actionDefinitionSchema, synchronousActionResultSchema, synchronousActionSchema } from './schema.ts';

export const actionRoutes = defineRoutes({
  'actions.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/available_actions',
    summary: 'Actions that can be run',
    access: { kind: 'tenant', ...requirements.actions },
    params: tenantParamsSchema,
    response: z.array(actionDefinitionSchema),
  },
  'actions.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/available_actions/{id}',
    summary: 'One action',
    access: { kind: 'tenant', ...requirements.actions },
    params: z.strictObject({ tenant: idSchema, id: z.string().max(200) }),
    response: actionDefinitionSchema,
    errors: ['NOT_FOUND'],
  },
  'actions.run-now': {
    method: 'POST',
    path: '/api/tenants/{tenant}/soar/synchronous_action',
    summary:
      'Run an action and wait for its output, at most 30 seconds; for an Analyst, except what screens of everybody read',
    // Who may run which action: `requirementOfAction`.
    access: { kind: 'tenant', ...requirements.signedIn },
    acts: true,
    params: tenantParamsSchema,
    body: synchronousActionSchema,
    response: synchronousActionResultSchema,
    errors: [
      'ROLE_TOO_LOW',
      'NOT_FOUND',
      'ACTION_INPUT_INVALID',
      'CONNECTOR_UNAVAILABLE',
      'CONFIRMATION_REQUIRED',
      'IDEMPOTENCY_KEY_REUSED',
      'RATE_LIMITED',
      'ACTION_FAILED',
      'ACTION_TIMED_OUT',
    ],
  },
});
