import { type TriggerInfo, triggerInfoSchema } from '@airdeck/contracts/activity/schema';
import { idSchema, timeSchema } from '@airdeck/contracts/fields';
import { z } from 'zod';

/** What the engine keeps of who started a run: the wire's trigger_info plus what never leaves the server. */
const runTriggerSchema = triggerInfoSchema.extend({
  /** Whose rights the run acts with; null for what the product itself set up. */
  acts_as: idSchema.nullable(),
  /** Name of the rule response, when one started the run. */
  response_name: z.string().nullable(),
  /** Connector of an action run on its own. */
  connector_id: idSchema.nullable(),
  /** The stored playbook that runs; left out for a definition that is tried without being stored, and for actions. */
  playbook_id: idSchema.optional(),
  /** The version of it. */
  playbook_version: z.number().int().optional(),
  /** Of a run another run started: the first of them answered a case by itself. */
  automated: z.literal(true).optional(),
  /** A person started it although the tenant's automation was switched off. */
  automation_off: z.literal(true).optional(),
  /** When it was asked to start, where that was not at once. */
  time_scheduled: timeSchema.optional(),
  /** Of the request that carried an Idempotency-Key: tells a repetition from another request with the same key. */
  request_hash: z.string().optional(),
});
export type RunTrigger = z.output<typeof runTriggerSchema>;

/** What expressions find behind `trigger`: all that is kept. The case's reference is looked up for people only. */
export const triggerFields: readonly string[] = Object.keys(runTriggerSchema.omit({ case_reference: true }).shape);

export function readTrigger(stored: unknown): RunTrigger {
  return runTriggerSchema.parse(stored);
}

/** No person asked for it, nor for the run that started it. */
export function isAutomated({ trigger_type, automated }: RunTrigger): boolean {
  return trigger_type === 'workflow' ? automated === true : trigger_type !== 'manual';
}

/**
 * The kill switch stops what runs by itself: playbooks, whoever started them, and actions that answer cases. What it leaves
 * is one action that a person runs.
 */
export function stopsWithAutomation(run: { kind: string; trigger: unknown }): boolean {
  return run.kind !== 'adhoc' || readTrigger(run.trigger).trigger_type !== 'manual';
}

/** `references` of cases by their ids. */
export function triggerInfo(trigger: RunTrigger, references: ReadonlyMap<string, string>): TriggerInfo {
  const { trigger_type, username, user_tenant_id, user_tenant_name, case_id, automation_rule: rule } = trigger;
  const reference = case_id === null ? undefined : references.get(case_id);
  return {
    ...{ trigger_type, username, user_tenant_id, user_tenant_name, case_id },
    ...(reference === undefined ? {} : { case_reference: reference }),
    ...(rule === undefined ? {} : { automation_rule: rule }),
  };
}
