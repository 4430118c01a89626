import { z } from 'zod';
import { idSchema, jsonObjectSchema, shortText, timeSchema, toldFields } from '../fields.ts';

export const onboardingKinds = ['connector', 'tenant', 'marketplace'] as const;

const stepName = z.string().regex(/^[a-z][a-z0-9-]{0,49}$/, 'A step name: lower-case letters, digits and dashes.');

export const onboardingSchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  kind: z.enum(onboardingKinds),
  title: z.string(),
  /** One of `steps`: where the wizard goes on. */
  step: z.string(),
  steps: z.array(z.string()),
  /** What was entered so far; never a secret. */
  data: jsonObjectSchema,
  created_by: z.string(),
  updated_at: timeSchema,
});
export type Onboarding = z.output<typeof onboardingSchema>;

/** POST creates the onboarding of that id or replaces it. */
export const onboardingInputSchema = z
  .strictObject({
    kind: z.enum(onboardingKinds),
    title: shortText(200),
    step: stepName,
    steps: z.array(stepName).min(1).max(20),
    data: jsonObjectSchema.default({}),
  })
  .refine(({ step, steps }) => steps.includes(step), { path: ['step'], message: 'Must be one of the steps.' });

export const airIpSchema = z.strictObject({
  air_ip: z.string(),
  air_ips: z.array(z.string()),
  /** What people must know before they rely on the addresses; null when the operator has named them. */
  note: z.string().nullable(),
});

export const reachabilityInputSchema = z.strictObject({ url: z.string().trim().min(1).max(2000) });

export const reachabilitySchema = z.strictObject({
  reachable: z.boolean(),
  /** HTTP status of the answer; null where there was none. */
  status: z.number().int().nullable(),
  latency_ms: z.number().int().nullable(),
  tls: z.strictObject({ valid: z.boolean(), expires_at: timeSchema.nullable() }).nullable(),
  ...toldFields,
});
export type Reachability = z.output<typeof reachabilitySchema>;
