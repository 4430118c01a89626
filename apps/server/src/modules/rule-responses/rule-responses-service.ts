import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { RunTrigger } from '../activity/run-trigger.ts';
import type { CaseStory } from '../cases/case-story.ts';
import type { PlaybooksService } from '../playbooks/playbooks-service.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { OpenedCase, RuleResponses } from './rule-responses-port.ts';
import { enabledResponses, type RuleResponseRow } from './rule-responses-repository.ts';

/**
 * The one thing a response needs of the activity module: start a run in this transaction, at most once per key. What
 * cannot be started (unknown action, inputs that do not fit) is refused by an `AppError` before anything is written.
 */
export type StartRun = (
  tx: Tx,
  start: {
    scope: TenantScope;
    what: { kind: 'playbook'; name: string; definition: PlaybookDefinition } | { kind: 'action'; name: string };
    inputs: JsonObject;
    trigger: RunTrigger;
    dedupKey: string;
  },
) => Promise<{ runId: string }>;

type Dependencies = {
  startRun: StartRun;
  playbooks: Pick<PlaybooksService, 'findForRun'>;
  /** Renders `{{ … }}` in the configured inputs. */
  render: (value: unknown, context: Record<string, unknown>) => unknown;
  story: Pick<CaseStory, 'add'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  log: { warn(fields: Record<string, unknown>, message: string): void };
};

const SWITCHED_OFF = 'Automation is switched off for this tenant.';

/**
 * A response that cannot start (automation is switched off, its playbook is gone, its inputs do not render or fit) must not keep the case from opening:
 * the case's story says so instead.
 */
export function createRuleResponses(deps: Dependencies): RuleResponses {
  return {
    async onCaseOpened(tx, opened) {
      const scope = trustedTenantScope(opened.tenant);
      const responses = await enabledResponses(tx, scope, opened.policyId);
      const automationOn = responses.length === 0 || (await deps.settings.automationEnabled(tx, opened.tenant));
      for (const response of responses) {
        const problem = automationOn ? await startResponse(deps, tx, scope, response, opened) : SWITCHED_OFF;
        if (problem === undefined) continue;
        deps.log.warn({ tenant: opened.tenant, case: opened.caseId, response: response.response_name }, problem);
        await deps.story.add(tx, {
          tenant: opened.tenant,
          caseId: opened.caseId,
          username: 'system',
          kind: 'run_finished',
          text: `${response.response_name} could not start: ${problem}`,
          data: { response_name: response.response_name, status: 'error' },
        });
      }
    },
  };
}

/** The reason when the response could not be started. */
async function startResponse(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  response: RuleResponseRow,
  opened: OpenedCase,
): Promise<string | undefined> {
  const inputs = renderInputs(deps, response, opened);
  if ('problem' in inputs) return inputs.problem;
  const playbook =
    response.response_type === 'playbook'
      ? await deps.playbooks.findForRun(tx, scope, response.definition_id)
      : undefined;
  if (response.response_type === 'playbook' && !playbook) return 'Its playbook no longer exists.';
  try {
    await deps.startRun(tx, {
      scope,
      what: playbook ? { kind: 'playbook', ...playbook } : { kind: 'action', name: response.definition_id },
      inputs: inputs.rendered,
      trigger: {
        trigger_type: 'event',
        username: response.created_by,
        user_tenant_id: opened.tenant,
        user_tenant_name: null,
        case_id: opened.caseId,
        acts_as: response.owner_user_id,
        response_name: response.response_name,
        connector_id: response.connector_id,
      },
      dedupKey: `response:${opened.caseId}:${response.response_name}`,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.message, ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`)].join(' ');
  }
}

function renderInputs(
  deps: Pick<Dependencies, 'render'>,
  response: RuleResponseRow,
  opened: OpenedCase,
): { rendered: JsonObject } | { problem: string } {
  const { event } = opened;
  const context = {
    case: { id: opened.caseId, reference: opened.reference, severity: opened.severity, policy: opened.policyName },
    group: opened.groupValues,
    event: {
      message: event.message,
      host: event.host,
      user: event.user,
      src_ip: event.src_ip,
      dst_ip: event.dst_ip,
      action: event.action,
      outcome: event.outcome,
      integration: event.integration,
      event_type: event.event_type,
      fields: event.fields,
    },
  };
  try {
    return { rendered: deps.render(response.inputs, context) as JsonObject };
  } catch (error) {
    return { problem: `Its inputs could not be filled in (${error instanceof Error ? error.message : 'unknown'}).` };
  }
}
