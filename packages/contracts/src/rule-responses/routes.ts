import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  ruleResponseCreateSchema,
  ruleResponseDryRunResultSchema,
  ruleResponseDryRunSchema,
  ruleResponseHistoryQuerySchema,
  ruleResponseHistorySchema,
  ruleResponseListQuerySchema,
  ruleResponseListSchema,
  ruleResponseNameQuerySchema,
  ruleResponseOrderSchema,
  ruleResponsePatchSchema,
  ruleResponseReplaceSchema,
  ruleResponseSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/soar/rule_responses';
const reading = { kind: 'tenant', ...requirements.signedIn } as const;
const changing = { kind: 'tenant', ...requirements.airAutomation } as const;

/** `{id}` is the policy's; with the name of the response it says which one. */
export const ruleResponseRoutes = defineRoutes({
  'rule-responses.list': {
    method: 'GET',
    path,
    summary: 'What policies start when they open a case, by policy in the order of starting',
    access: reading,
    params: tenantParamsSchema,
    query: ruleResponseListQuerySchema,
    response: ruleResponseListSchema,
  },
  'rule-responses.create': {
    method: 'POST',
    path,
    summary: 'Let a policy start an action or a playbook; what destroys something is asked first',
    access: changing,
    params: tenantParamsSchema,
    body: ruleResponseCreateSchema,
    status: 201,
    response: ruleResponseSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'PLAYBOOK_NOT_PUBLISHED', 'CONFIRMATION_REQUIRED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'rule-responses.dry-run': {
    method: 'POST',
    path: `${path}/dry_run`,
    summary: 'What a response would have done for a case; only actions that read really run',
    access: changing,
    acts: true,
    params: tenantParamsSchema,
    body: ruleResponseDryRunSchema,
    response: ruleResponseDryRunResultSchema,
    errors: ['NOT_FOUND', 'PLAYBOOK_NOT_PUBLISHED', 'CONFLICT', 'RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'rule-responses.replace': {
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Change a response; it acts with the rights of whoever changed it last',
    access: changing,
    params: tenantIdParamsSchema,
    body: ruleResponseReplaceSchema,
    response: ruleResponseSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'PLAYBOOK_NOT_PUBLISHED', 'CONFIRMATION_REQUIRED'],
  },
  'rule-responses.switch': {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Switch a response on or off',
    access: changing,
    params: tenantIdParamsSchema,
    query: ruleResponseNameQuerySchema,
    body: ruleResponsePatchSchema,
    response: ruleResponseSchema,
    errors: ['NOT_FOUND', 'PLAYBOOK_NOT_PUBLISHED', 'CONFLICT', 'CONFIRMATION_REQUIRED'],
  },
  'rule-responses.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a response; what it started goes on',
    access: changing,
    params: tenantIdParamsSchema,
    query: ruleResponseNameQuerySchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
  'rule-responses.order': {
    method: 'PUT',
    path: `${path}/{id}/order`,
    summary: 'In which order the responses of a policy start',
    access: changing,
    params: tenantIdParamsSchema,
    body: ruleResponseOrderSchema,
    response: ruleResponseListSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'rule-responses.history': {
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'Cases a response was asked to answer, newest first',
    access: reading,
    params: tenantIdParamsSchema,
    query: ruleResponseHistoryQuerySchema,
    response: ruleResponseHistorySchema,
    errors: ['NOT_FOUND'],
  },
});
