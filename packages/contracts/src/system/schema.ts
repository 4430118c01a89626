import { z } from 'zod';
import { jsonObjectSchema } from '../fields.ts';

export const stages = ['dev', 'prod', 'local'] as const;
export type Stage = (typeof stages)[number];

/** Runtime configuration of the dashboard (spec §5), served at `/config.json`. */
export const dashboardConfigSchema = z.strictObject({
  api_base_url: z.string().min(1),
  error_reporting_dsn: z.string(),
  analytics_key: z.string().min(1),
  analytics_host: z.string().min(1),
  /** `local` is the built-in provider, `pk_test_…` or `pk_live_…` is Clerk. */
  identity_publishable_key: z.string().min(1),
  target_stage: z.enum(stages),
  mock_data: z.boolean(),
  product_name: z.string().min(1),
  product_short_name: z.string().min(1),
  release: z.string().min(1),
});
export type DashboardConfig = z.output<typeof dashboardConfigSchema>;

/** How each store is; `ready` is about those without which this process, in its role, cannot do its part. */
export const readinessSchema = z.strictObject({
  ready: z.boolean(),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), message: z.string() })),
});
export type Readiness = z.output<typeof readinessSchema>;

/** A demo sign-in, at stage `local` with demo data only. */
export const demoAccountSchema = z.strictObject({
  email: z.string(),
  fullname: z.string(),
  password: z.string(),
  role: z.string(),
  tenant_name: z.string(),
  /** The authenticator's present code, or the next one where that is used up, and how long it is shown. */
  code: z.string(),
  seconds_left: z.number().int(),
  /** Until the code counts: 0 unless those that count now are all used up. */
  usable_in_s: z.number().int(),
});
export type DemoAccount = z.output<typeof demoAccountSchema>;

/** What fills in the form of an integration to reach the local sandbox; its credentials open nothing else. */
export const demoConnectionSchema = z.strictObject({ definition_id: z.string(), config: jsonObjectSchema });
export type DemoConnection = z.output<typeof demoConnectionSchema>;

/** A mail that was not sent because no mail server is configured; readable at stage `local` only. */
export const outboxMailSchema = z.strictObject({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type OutboxMail = z.output<typeof outboxMailSchema>;
