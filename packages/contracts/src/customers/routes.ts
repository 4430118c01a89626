import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { eventUsageSchema, logReportQuerySchema } from '../reports/log-report.ts';
import { defineRoutes } from '../route.ts';
import {
  customerCreateSchema,
  customerSchema,
  customerUpdateSchema,
  providerRoleInputSchema,
  providerRoleSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/customers';
const access = { kind: 'tenant', ...requirements.customers } as const;

/** What an Admin of a provider does with the tenants it manages. */
export const customerRoutes = defineRoutes({
  'customers.list': {
    method: 'GET',
    path,
    summary: 'Tenants this provider manages',
    access,
    params: tenantParamsSchema,
    response: z.array(customerSchema),
    errors: ['NOT_A_PROVIDER'],
  },
  'customers.create': {
    method: 'POST',
    path,
    summary: 'Create a customer tenant and invite its first Admin',
    access,
    params: tenantParamsSchema,
    body: customerCreateSchema,
    status: 201,
    response: customerSchema,
    errors: ['NOT_A_PROVIDER', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'customers.update': {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Rename a customer tenant or change its plan; with `replaces` only if nobody else has changed that since',
    access,
    params: tenantIdParamsSchema,
    body: customerUpdateSchema,
    response: customerSchema,
    errors: ['NOT_A_PROVIDER', 'NOT_FOUND', 'CONFLICT'],
  },
  'customers.usage': {
    method: 'GET',
    path: `${path}/{id}/usage`,
    summary: 'Events and bytes that a customer tenant sends, by day',
    access,
    params: tenantIdParamsSchema,
    query: logReportQuerySchema,
    response: eventUsageSchema,
    errors: ['NOT_A_PROVIDER', 'NOT_FOUND'],
  },
  'customers.roles': {
    method: 'GET',
    path: `${path}/roles`,
    summary: 'People of this provider who work in every customer tenant',
    access,
    params: tenantParamsSchema,
    response: z.array(providerRoleSchema),
    errors: ['NOT_A_PROVIDER'],
  },
  'customers.set-role': {
    method: 'PUT',
    path: `${path}/roles`,
    summary: 'Give a person of this provider a role in every customer tenant, or take it away',
    access,
    params: tenantParamsSchema,
    body: providerRoleInputSchema,
    response: z.array(providerRoleSchema),
    confirm: true,
    errors: ['NOT_A_PROVIDER', 'NOT_FOUND'],
  },
});
