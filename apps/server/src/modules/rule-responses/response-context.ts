/** What the expressions of a response read: the case, the values it is grouped by, and its first event. */
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Expressions } from '@airdeck/expression/expression';
import { ExpressionError } from '@airdeck/expression/expression-error';
import type { OpenedCase } from './rule-responses-port.ts';

export type ResponseExpressions = Pick<Expressions, 'render' | 'condition' | 'check' | 'checkTemplates'>;

type Read = Pick<
  StoredEvent,
  | 'message'
  | 'host'
  | 'user'
  | 'src_ip'
  | 'dst_ip'
  | 'action'
  | 'outcome'
  | 'integration'
  | 'event_type'
  | 'severity'
  | 'fields'
>;

export function contextOf(opened: OpenedCase): JsonObject {
  const { event } = opened;
  const read: Read = {
    message: event.message,
    host: event.host,
    user: event.user,
    src_ip: event.src_ip,
    dst_ip: event.dst_ip,
    action: event.action,
    outcome: event.outcome,
    integration: event.integration,
    event_type: event.event_type,
    severity: event.severity,
    fields: event.fields,
  };
  return {
    case: { id: opened.caseId, reference: opened.reference, severity: opened.severity, policy: opened.policyName },
    group: opened.groupValues,
    event: read,
  };
}

type Filled = { inputs: JsonObject } | { problem: string };

export function filledInputs(
  expressions: Pick<ResponseExpressions, 'render'>,
  inputs: JsonObject,
  context: JsonObject,
): Filled {
  try {
    return { inputs: expressions.render(inputs, context) as JsonObject };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { problem: `Its inputs could not be filled in (${error.message}).` };
  }
}

type Decided = { holds: boolean } | { problem: string };

/** A response without a condition answers every case. */
export function decidedCondition(
  expressions: Pick<ResponseExpressions, 'condition'>,
  conditions: string | null,
  context: JsonObject,
): Decided {
  if (conditions === null) return { holds: true };
  try {
    return { holds: expressions.condition(conditions, context) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { problem: `Its condition could not be decided (${error.message}).` };
  }
}
