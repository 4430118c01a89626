import { z } from 'zod';
import { caseEventSchema } from '../cases/schema.ts';
import { timeInputSchema, timeSchema } from '../fields.ts';
import { policyRuleSchema } from './schema.ts';

export const policyProblemSchema = z.strictObject({
  /** Inside the rule: `logic.filter_criteria.0.any.1.value`. */
  path: z.string(),
  message: z.string(),
});

export const policyValidateSchema = z.strictObject({ rule: policyRuleSchema });

export const policyValidationSchema = z.strictObject({ valid: z.boolean(), problems: z.array(policyProblemSchema) });

export const policyTrialLimits = { lines: 2_000, chars: 500_000 } as const;

export const policyTestSchema = z.strictObject({
  rule: policyRuleSchema,
  /** One event per line, as its source writes it; empty lines are left out. */
  events: z.string().min(1).max(policyTrialLimits.chars),
});

const groupSchema = z.record(z.string(), z.string());

export const policyTrialSchema = z.strictObject({
  lines: z.array(
    z.strictObject({
      /** From 1. */
      line: z.number().int(),
      matched: z.boolean(),
      /** What the event was read as: a line for another source than the policy's never matches. */
      integration: z.string(),
      event_type: z.string(),
      /** Whether the source is one the policy looks at. */
      of_source: z.boolean(),
    }),
  ),
  summary: z.strictObject({
    events: z.number().int(),
    matched: z.number().int(),
    /** Cases as they would open while nobody closes any: one per group. */
    cases: z.array(z.strictObject({ group: groupSchema, events: z.number().int() })),
  }),
});
export type PolicyTrial = z.output<typeof policyTrialSchema>;

/** Longest time a backtest looks back. */
export const BACKTEST_MAX_DAYS = 31;

export const policyBacktestSchema = z.strictObject({
  rule: policyRuleSchema,
  start_time: timeInputSchema,
  end_time: timeInputSchema,
  /** For how long a case is taken to stay open; further matches of its group go into it. */
  case_open_for_s: z.number().int().min(0).max(2_592_000).default(3_600),
});

export const policyBacktestResultSchema = z.strictObject({
  matched_events: z.number().int(),
  /** Cases that would have opened, each closed `case_open_for_s` after it did. */
  cases: z.number().int(),
  /** Cases if none had been closed: groups that reached the threshold. */
  groups: z.number().int(),
  /** What the suppression keeps away when every case is closed at once: cases, and matching events in the quiet time. */
  suppressed: z.strictObject({ cases: z.number().int(), events: z.number().int() }),
  /** The newest matching events, at most 20. */
  sample: z.array(caseEventSchema),
  /** Only hours with matches; `t` is the beginning of the hour. */
  by_hour: z.array(z.strictObject({ t: timeSchema, matched: z.number().int(), cases: z.number().int() })),
  /** Events of the policy's sources in the time asked for. */
  scanned_events: z.number().int(),
  duration_ms: z.number().int(),
  /** True when a bound of time or number was reached: what is said holds up to `complete_until`. */
  partial: z.boolean(),
  complete_until: timeSchema,
  /**
   * From when events were looked at: later than asked for where the plan reaches back fewer days. A server of release 1.14.2
   * or before leaves it out.
   */
  complete_from: timeSchema.optional(),
});
export type PolicyBacktestResult = z.output<typeof policyBacktestResultSchema>;
