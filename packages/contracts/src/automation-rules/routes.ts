import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  automationRuleCreateSchema,
  automationRuleDeleteQuerySchema,
  automationRuleHistoryQuerySchema,
  automationRuleHistorySchema,
  automationRuleListQuerySchema,
  automationRulePatchSchema,
  automationRuleSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/event/automation_rules';
const access = { kind: 'tenant', ...requirements.graylogAutomation } as const;

export const automationRuleRoutes = defineRoutes({
  'automation-rules.list': {
    method: 'GET',
    path,
    summary: 'What alerts of the log management start, by name',
    access,
    params: tenantParamsSchema,
    query: automationRuleListQuerySchema,
    response: z.array(automationRuleSchema),
  },
  'automation-rules.create': {
    method: 'POST',
    path,
    summary: 'Let alerts of an event definition start actions and playbooks; sets up the notification in Graylog',
    access,
    params: tenantParamsSchema,
    body: automationRuleCreateSchema,
    status: 201,
    response: automationRuleSchema,
    errors: [
      'NOT_FOUND',
      'CONFLICT',
      'PLAYBOOK_NOT_PUBLISHED',
      'CONFIRMATION_REQUIRED',
      'CONNECTOR_UNAVAILABLE',
      'ACTION_FAILED',
      'RATE_LIMITED',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  'automation-rules.get': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One automation rule',
    access,
    params: tenantIdParamsSchema,
    response: automationRuleSchema,
    errors: ['NOT_FOUND'],
  },
  'automation-rules.change': {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary:
      'Rename a rule, change what it starts, switch it on or off; it acts with the rights of who changed it last',
    access,
    params: tenantIdParamsSchema,
    body: automationRulePatchSchema,
    response: automationRuleSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'PLAYBOOK_NOT_PUBLISHED', 'CONFIRMATION_REQUIRED'],
  },
  'automation-rules.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a rule and its notification in Graylog; what it started goes on',
    access,
    params: tenantIdParamsSchema,
    query: automationRuleDeleteQuerySchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND', 'ACTION_FAILED'],
  },
  'automation-rules.repair': {
    method: 'POST',
    path: `${path}/{id}/repair`,
    summary: 'Look at the notification in Graylog, and set right what is missing or different',
    access,
    params: tenantIdParamsSchema,
    response: automationRuleSchema,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  },
  'automation-rules.history': {
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'Alerts a rule answered and what it started, newest first',
    access,
    params: tenantIdParamsSchema,
    query: automationRuleHistoryQuerySchema,
    response: automationRuleHistorySchema,
    errors: ['NOT_FOUND'],
  },
});
