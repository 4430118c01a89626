import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { ruleResponseListQuerySchema, ruleResponseListSchema } from './schema.ts';

export const ruleResponseRoutes = defineRoutes({
  'rule-responses.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/rule_responses',
    summary: 'What policies start when they open a case',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: ruleResponseListQuerySchema,
    response: ruleResponseListSchema,
  },
});
