import type { AutomationResponse } from '@airdeck/contracts/automation-rules/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { RunTrigger } from '../activity/run-trigger.ts';
import type { AutomationBrake } from '../rule-responses/automation-brake.ts';
import {
  type ResponseResult,
  type ResponseStart,
  type StartResponse,
  switchedOff,
} from '../rule-responses/rule-responses-port.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import { type Alert, alertOf, contextOf } from './alert-context.ts';
import {
  addAlertOutcomes,
  alertAnswers,
  answeredAlerts,
  answeringRules,
  type NewAlertOutcome,
} from './alert-outcomes.ts';
import type { AlertAnswers } from './automation-rules-port.ts';
import type { RuleRow } from './automation-rules-repository.ts';

/** Graylog sends them one by one; more than so many in one delivery of a source are nobody's alerts to answer. */
const ALERTS_AT_ONCE = 50;
const tooMany: ResponseResult = {
  outcome: 'failed',
  runId: null,
  problem: `More than ${ALERTS_AT_ONCE} alerts came in one delivery.`,
};

type Dependencies = {
  startResponse: StartResponse;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  brake: AutomationBrake;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
};

/** A response that cannot start keeps neither the alert from being stored nor the responses after it from starting. */
export function createAlertAnswers(deps: Dependencies): AlertAnswers {
  return {
    async onArrived(tx, events) {
      const answered: (Arrived & { rules: readonly RuleRow[] })[] = [];
      for (const arrived of bySource(events)) {
        const { scope, sourceId, alerts } = arrived;
        const definitionIds = [...new Set(alerts.map(({ definitionId }) => definitionId))];
        const rules = await answeringRules(tx, scope, { sourceId, definitionIds });
        if (rules.length > 0) answered.push({ ...arrived, rules });
      }
      return async () => {
        for (const { scope, alerts, rules } of answered) {
          const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
          for (const rule of rules) {
            const own = alerts.filter(({ definitionId }) => definitionId === rule.definition_id);
            await answer(deps, tx, scope, { rule, alerts: own, automationOn });
          }
        }
      };
    },
  };
}

type Arrived = { scope: TenantScope; sourceId: string; alerts: Alert[] };

/**
 * In one order, so that transactions with the same sources do not wait for each other in a circle: by tenant first, since
 * answers may lock what a tenant has one of.
 */
function bySource(events: readonly StoredEvent[]): Arrived[] {
  const sources = new Map<string, Arrived>();
  for (const event of events) {
    const alert = alertOf(event);
    if (alert === undefined) continue;
    const known = sources.get(event.source);
    if (known !== undefined) known.alerts.push(alert);
    else
      sources.set(event.source, { scope: trustedTenantScope(event.tenant), sourceId: event.source, alerts: [alert] });
  }
  return [...sources.values()].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf({ scope, sourceId }: Arrived): string {
  return `${scope.tenantId}/${sourceId}`;
}

async function answer(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { rule, alerts, automationOn }: { rule: RuleRow; alerts: readonly Alert[]; automationOn: boolean },
): Promise<void> {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const answered = await answeredAlerts(tx, scope, rule.id, [...byId.keys()]);
  const fresh = [...byId.values()].filter(({ id }) => !answered.has(id));
  const at = deps.now();

  async function started(
    response: AutomationResponse,
    {
      alert,
      context,
      place,
      mayStart,
    }: { alert: Alert; context: JsonObject; place: number } & Pick<ResponseStart, 'mayStart'>,
  ): Promise<ResponseResult> {
    if (!automationOn) return switchedOff;
    if (place >= ALERTS_AT_ONCE) return tooMany;
    return await deps.startResponse(tx, scope, {
      response: startable(response),
      context,
      trigger: triggerOf(scope, rule, response),
      dedupKey: `alert:${rule.id}:${alert.id}:${response.name}`,
      mayStart,
    });
  }

  const mayAnswer = deps.brake.of({ kind: 'automation_rule', id: rule.id, name: rule.name }, alertAnswers);
  const outcomes: NewAlertOutcome[] = [];
  for (const [place, alert] of fresh.entries()) {
    const context = contextOf(alert, rule);
    let isAllowed: Promise<boolean> | undefined;
    for (const response of rule.responses) {
      const mayStart = () => (isAllowed ??= mayAnswer(tx, scope, response.name));
      const result = await started(response, { alert, context, place, mayStart });
      if (result.problem !== null) {
        deps.log.warn({ tenant: scope.tenantId, rule: rule.id, response: response.name }, result.problem);
      }
      const { name: response_name, response_type } = response;
      const of = { rule_id: rule.id, alert_id: alert.id, alert_title: alert.title, response_name, response_type, at };
      outcomes.push({ ...of, outcome: result.outcome, run_id: result.runId, problem: result.problem });
    }
  }
  await addAlertOutcomes(tx, scope, { ruleId: rule.id, alerts: fresh.length, at }, outcomes);
}

function startable(response: AutomationResponse) {
  const { response_type, inputs } = response;
  const definition_id = response.response_type === 'playbook' ? response.playbook_id : response.action_name;
  return { response_type, definition_id, inputs, conditions: null };
}

function triggerOf(scope: TenantScope, rule: RuleRow, response: AutomationResponse): RunTrigger {
  return {
    trigger_type: 'event',
    // Who saved it last: with whose rights it acts is whose name it bears.
    username: rule.updated_by,
    user_tenant_id: scope.tenantId,
    user_tenant_name: null,
    case_id: null,
    automation_rule: { id: rule.id, name: rule.name },
    acts_as: rule.owner_user_id,
    response_name: response.name,
    connector_id: response.response_type === 'action' ? (response.connector_id ?? null) : null,
  };
}
