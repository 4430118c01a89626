import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  ssoConnectionChangeSchema,
  ssoConnectionInputSchema,
  ssoConnectionSchema,
  ssoDomainCheckInputSchema,
  ssoDomainCheckSchema,
  ssoDomainSchema,
  ssoTestSchema,
  tenantSettingsInputSchema,
  tenantSettingsSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/settings';
const access = { kind: 'tenant', ...requirements.tenantSettings } as const;

export const settingsRoutes = defineRoutes({
  'settings.get': {
    method: 'GET',
    path,
    summary: 'Settings of the tenant',
    access,
    params: tenantParamsSchema,
    response: tenantSettingsSchema,
  },
  'settings.update': {
    method: 'PATCH',
    path,
    summary: 'Change settings of the tenant',
    access,
    // With it automation is switched off.
    urgent: true,
    params: tenantParamsSchema,
    body: tenantSettingsInputSchema,
    response: tenantSettingsSchema,
    errors: ['CONFLICT'],
  },
  'sso.list': {
    method: 'GET',
    path: `${path}/sso`,
    summary: 'Single sign-on connections of the tenant',
    access,
    params: tenantParamsSchema,
    response: z.array(ssoConnectionSchema),
  },
  'sso.create': {
    method: 'POST',
    path: `${path}/sso`,
    summary: 'Add a single sign-on connection',
    access,
    params: tenantParamsSchema,
    body: ssoConnectionInputSchema,
    status: 201,
    response: ssoConnectionSchema,
    errors: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'sso.update': {
    method: 'PUT',
    path: `${path}/sso/{id}`,
    summary: 'Replace a single sign-on connection; with `updated_at` only if nobody else has changed it since',
    access,
    params: tenantIdParamsSchema,
    body: ssoConnectionChangeSchema,
    response: ssoConnectionSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'sso.delete': {
    method: 'DELETE',
    path: `${path}/sso/{id}`,
    summary: 'Remove a single sign-on connection',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'sso.test': {
    method: 'POST',
    path: `${path}/sso/{id}/test`,
    summary: "Read the issuer's configuration and keys, and say whether they can be used",
    access,
    params: tenantIdParamsSchema,
    response: ssoTestSchema,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  },
  'sso.domains': {
    method: 'GET',
    path: `${path}/sso_domains`,
    summary: 'E-mail domains of the connections, and the DNS record that proves each',
    access,
    params: tenantParamsSchema,
    response: z.array(ssoDomainSchema),
  },
  'sso.check-domain': {
    method: 'POST',
    path: `${path}/sso_domains/check`,
    summary: 'Look for the DNS record that proves a domain',
    access,
    params: tenantParamsSchema,
    body: ssoDomainCheckInputSchema,
    response: ssoDomainCheckSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  },
});
