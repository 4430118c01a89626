import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { policySourceTextSchema, sigmaImportedSchema, sigmaImportSchema } from './import-schema.ts';
import { policyPublicationsSchema } from './publication-schema.ts';
import {
  policyCreateSchema,
  policyListQuerySchema,
  policyListSchema,
  policyPublishedSchema,
  policyPublishSchema,
  policyRollBackSchema,
  policySchema,
  policyUpdateSchema,
  policyVersionSchema,
} from './schema.ts';
import {
  policyBacktestResultSchema,
  policyBacktestSchema,
  policyTestSchema,
  policyTrialSchema,
  policyValidateSchema,
  policyValidationSchema,
} from './trial-schema.ts';

const reading = { kind: 'tenant', ...requirements.signedIn } as const;
const changing = { kind: 'tenant', ...requirements.airAutomation } as const;
const path = '/api/tenants/{tenant}/soar/rules';

export const policyRoutes = defineRoutes({
  'policies.list': {
    method: 'GET',
    path,
    summary: 'Policies of the incident-response area, by name, with counts to filter by',
    access: reading,
    params: tenantParamsSchema,
    query: policyListQuerySchema,
    response: policyListSchema,
  },
  'policies.get': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One policy',
    access: reading,
    params: tenantIdParamsSchema,
    response: policySchema,
    errors: ['NOT_FOUND'],
  },
  'policies.create': {
    method: 'POST',
    path,
    summary: 'Add a policy; one that is switched on and would match nearly everything asks first',
    access: changing,
    params: tenantParamsSchema,
    body: policyCreateSchema,
    status: 201,
    response: policySchema,
    errors: ['CONFLICT', 'CONFIRMATION_REQUIRED', 'STORE_UNAVAILABLE', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'policies.update': {
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Change or switch a policy; one that is on and would match nearly everything asks first',
    access: changing,
    params: tenantIdParamsSchema,
    body: policyUpdateSchema,
    response: policySchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'CONFIRMATION_REQUIRED', 'STORE_UNAVAILABLE'],
  },
  'policies.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a policy with its versions; its cases stay, and so do its automations, which say that it is gone',
    access: changing,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
  'policies.versions': {
    method: 'GET',
    path: `${path}/{id}/versions`,
    summary: 'Versions of a policy, newest first (at most 100, fewer where they are longer than 8 MB together)',
    access: reading,
    params: tenantIdParamsSchema,
    response: z.array(policyVersionSchema),
    errors: ['NOT_FOUND'],
  },
  'policies.roll-back': {
    method: 'POST',
    path: `${path}/{id}/roll_back`,
    summary: 'Take the rule of an older version again, as a new version; whether it is on stays',
    access: changing,
    params: tenantIdParamsSchema,
    body: policyRollBackSchema,
    response: policySchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'CONFIRMATION_REQUIRED', 'STORE_UNAVAILABLE'],
  },
  'policies.source-text': {
    method: 'GET',
    path: `${path}/{id}/source_text`,
    summary: 'The rule a policy was imported from, as its author wrote it',
    access: reading,
    params: tenantIdParamsSchema,
    response: policySourceTextSchema,
    errors: ['NOT_FOUND'],
  },
  'policies.import': {
    method: 'POST',
    path: `${path}/import`,
    summary:
      'Import Sigma rules, switched off; the answer says rule by rule what became of them; new rules that would match nearly everything ask first where the policy is on',
    access: changing,
    params: tenantParamsSchema,
    body: sigmaImportSchema,
    response: sigmaImportedSchema,
    errors: ['CONFLICT', 'OVERLOADED', 'CONFIRMATION_REQUIRED', 'STORE_UNAVAILABLE', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'policies.validate': {
    method: 'POST',
    path: `${path}/validate`,
    summary: 'Everything that keeps a rule from running',
    access: changing,
    params: tenantParamsSchema,
    body: policyValidateSchema,
    response: policyValidationSchema,
  },
  'policies.test': {
    method: 'POST',
    path: `${path}/test`,
    summary: 'Hold a rule against pasted events: line by line, and the cases it would open',
    access: changing,
    params: tenantParamsSchema,
    body: policyTestSchema,
    response: policyTrialSchema,
    errors: ['OVERLOADED'],
  },
  'policies.backtest': {
    method: 'POST',
    path: `${path}/backtest`,
    summary: "Hold a rule against the tenant's past events",
    access: changing,
    params: tenantParamsSchema,
    body: policyBacktestSchema,
    response: policyBacktestResultSchema,
    errors: ['STORE_UNAVAILABLE', 'OVERLOADED'],
  },
  'policies.publications': {
    method: 'GET',
    path: `${path}/{id}/publications`,
    summary: 'The tenants this one manages where the caller works, and the copy of the policy each of them has',
    access: changing,
    params: tenantIdParamsSchema,
    response: policyPublicationsSchema,
    errors: ['NOT_FOUND'],
  },
  'policies.publish': {
    method: 'POST',
    path: `${path}/publish`,
    summary:
      'Copy a policy into other tenants the caller may manage, or renew the copies; changed copies stay; asks first where one is on and would match nearly everything',
    access: changing,
    params: tenantParamsSchema,
    body: policyPublishSchema,
    response: policyPublishedSchema,
    errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'STORE_UNAVAILABLE'],
  },
});
