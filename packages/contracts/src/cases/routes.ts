import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { caseDetailSchema, caseListQuerySchema, caseListSchema, caseUpdateSchema } from './schema.ts';

export const caseRoutes = defineRoutes({
  'cases.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/case',
    summary: 'Cases with total and facet counts',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: caseListQuerySchema,
    response: caseListSchema,
  },
  'cases.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/case/{id}',
    summary: 'A case with its story, matched events and related cases',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantIdParamsSchema,
    response: caseDetailSchema,
    errors: ['NOT_FOUND'],
  },
  'cases.update': {
    method: 'POST',
    path: '/api/tenants/{tenant}/case/{id}',
    summary: 'Acknowledge, close, reopen, assign, tag, comment; every change becomes an entry of the story',
    access: { kind: 'tenant', ...requirements.airWork },
    params: tenantIdParamsSchema,
    body: caseUpdateSchema,
    response: caseDetailSchema,
    errors: ['NOT_FOUND', 'CASE_TRANSITION_REFUSED', 'CONFLICT'],
  },
});
