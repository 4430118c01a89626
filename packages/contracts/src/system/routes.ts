import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { jsonObjectSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  dashboardConfigSchema,
  demoAccountSchema,
  demoConnectionSchema,
  outboxMailSchema,
  readinessSchema,
} from './schema.ts';

export const systemRoutes = defineRoutes({
  'system.config': {
    method: 'GET',
    path: '/config.json',
    summary: 'Runtime configuration of the dashboard',
    access: { kind: 'public' },
    urgent: true,
    response: dashboardConfigSchema,
  },
  'system.live': {
    method: 'GET',
    path: '/health/live',
    summary: 'The process is alive',
    access: { kind: 'public' },
    urgent: true,
    response: z.strictObject({ live: z.literal(true) }),
  },
  'system.ready': {
    method: 'GET',
    path: '/health/ready',
    summary: 'The server takes requests (503 with the same body while it does not)',
    access: { kind: 'public' },
    urgent: true,
    response: readinessSchema,
  },
  'system.openapi': {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    access: { kind: 'public' },
    response: jsonObjectSchema,
  },
  'system.demo-accounts': {
    method: 'GET',
    path: '/demo/accounts',
    summary: 'Demo sign-ins with their present codes; only at stage local with demo data',
    access: { kind: 'public' },
    response: z.array(demoAccountSchema),
    errors: ['ROUTE_NOT_FOUND'],
  },
  'system.demo-connections': {
    method: 'GET',
    path: '/demo/connections',
    summary: 'How to connect the vendors of the local sandbox; only at stage local with demo data',
    access: { kind: 'signed_in' },
    response: z.array(demoConnectionSchema),
    errors: ['ROUTE_NOT_FOUND'],
  },
  'system.outbox': {
    method: 'GET',
    path: '/demo/outbox',
    summary: 'The newest mails of the local outbox; only at stage local without a mail server',
    access: { kind: 'public' },
    response: z.array(outboxMailSchema),
    errors: ['ROUTE_NOT_FOUND'],
  },
  'stream.subscribe': {
    method: 'GET',
    path: '/api/tenants/{tenant}/stream',
    summary: 'Server-sent events: what changed, so that open screens refresh at once',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: 'stream',
    live: true,
  },
});

/** Data of one server-sent event. `kind` is also the event's name. */
export type StreamMessage = {
  id: string;
  kind: 'case' | 'run' | 'notification' | 'connector' | 'onboarding';
  status?: string;
};
