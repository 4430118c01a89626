import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  airIpSchema,
  onboardingInputSchema,
  onboardingSchema,
  reachabilityInputSchema,
  reachabilitySchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/onboarding';
const access = { kind: 'tenant', ...requirements.onboarding } as const;

export const onboardingRoutes = defineRoutes({
  'onboarding.air-ip': {
    method: 'GET',
    path: `${path}/air_ip`,
    summary: "Addresses our calls come from, for the customer's allow-list",
    access,
    params: tenantParamsSchema,
    response: airIpSchema,
  },
  'onboarding.list': {
    method: 'GET',
    path: `${path}/in_progress`,
    summary: 'Onboardings that were begun and not finished, newest first',
    access,
    params: tenantParamsSchema,
    response: z.array(onboardingSchema),
  },
  'onboarding.save': {
    method: 'POST',
    path: `${path}/in_progress/{id}`,
    summary: 'Begin an onboarding or note how far it came',
    access,
    params: tenantIdParamsSchema,
    body: onboardingInputSchema,
    response: onboardingSchema,
    errors: ['CONFLICT'],
  },
  'onboarding.delete': {
    method: 'DELETE',
    path: `${path}/in_progress/{id}`,
    summary: 'Give up or finish an onboarding',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
  'onboarding.reachability': {
    method: 'POST',
    path: `${path}/reachability_check`,
    summary: 'Whether a public address can be reached from here',
    access,
    params: tenantParamsSchema,
    body: reachabilityInputSchema,
    response: reachabilitySchema,
    errors: ['RATE_LIMITED'],
  },
});
