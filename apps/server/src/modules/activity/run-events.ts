import { approversSchema } from '@airdeck/contracts/playbooks/schema';
import type { EngineEvent, PromptEvent, RunEvent, StepEvent } from '@airdeck/engine/events';
import type { OnEvents } from '@airdeck/engine/interfaces';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { AuditActor, AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { CaseStory } from '../cases/case-story.ts';
import type { QuestionNotices } from '../notifications/notifications-port.ts';
import type { PlaybookRunNotes } from '../playbooks/playbooks-port.ts';
import type { Changes } from '../stream/changes.ts';
import type { EnginePool } from './engine-pool.ts';
import { isAutomated, type RunTrigger, readTrigger } from './run-trigger.ts';

type Dependencies = {
  enginePool: Pick<EnginePool, 'transactionOf'>;
  story: CaseStory;
  changes: Changes;
  notices: QuestionNotices;
  playbookRuns: Pick<PlaybookRunNotes, 'note'>;
  audit: Pick<AuditLog, 'recordAll'>;
  /** Friendly name of an action for people. */
  actionLabel: ActionCatalogue['label'];
};

/**
 * Writes what a run does into the story of its case, the audit log and the live stream, inside the engine's own
 * transaction: a step never counts as done without its record, and no record exists for what did not happen.
 */
export function createRunEvents(deps: Dependencies): OnEvents {
  return async (client, events) => {
    const tx = deps.enginePool.transactionOf(client);
    // Tenant order keeps two processes from waiting for each other's audit chains.
    const ordered = events
      .filter((event) => event.type !== 'job.dead')
      .sort((a, b) => (a.tenantId < b.tenantId ? -1 : a.tenantId > b.tenantId ? 1 : 0));
    const touched = new Map<string, Recorded>();
    for (const event of ordered) {
      touched.set(event.runId, event);
      if (event.type === 'run.created') await notePlaybook(deps, tx, event);
      // What is only tried is nobody's business but of whoever tries it.
      if (event.dryRun) continue;
      await tellCase(deps, tx, event, readTrigger(event.trigger));
      await tellPeople(deps, tx, event);
    }
    await deps.changes.announceAll(
      tx,
      [...touched.values()].map(({ tenantId, runId, runStatus }) => ({
        tenant: tenantId,
        kind: 'run',
        id: runId,
        status: runStatus,
      })),
    );
    // Last, because writing a record holds the tenant's audit chain until the transaction ends.
    await deps.audit.recordAll(tx, auditEntries(ordered));
  };
}

/** However it was started, so that every run of a playbook is found under it. */
async function notePlaybook({ playbookRuns }: Dependencies, tx: Tx, event: Recorded): Promise<void> {
  const { playbook_id: playbookId, playbook_version: version = 0 } = readTrigger(event.trigger);
  if (playbookId === undefined) return;
  const { runId, dryRun } = event;
  await playbookRuns.note(tx, trustedTenantScope(event.tenantId), { runId, playbook: { playbookId, version }, dryRun });
}

/** Who has to answer, and who should know that something they counted on did not happen. */
async function tellPeople(deps: Dependencies, tx: Tx, event: Recorded): Promise<void> {
  if (event.type !== 'prompt.asked' && event.type !== 'run.finished' && !questionEnds.has(event.type)) return;
  const run = { tenant: event.tenantId, runId: event.runId, runName: await runLabel(deps, tx, event) };
  if (event.type === 'prompt.asked') {
    const approvers = approversSchema.parse(event.approvers ?? {});
    const { message, promptId, options, expiresAt } = event;
    await deps.notices.tell(tx, { kind: 'prompt_waiting', ...run, message, approvers, promptId, options, expiresAt });
  }
  if (questionEnds.has(event.type) && 'promptId' in event) {
    await deps.notices.settle(tx, { tenant: event.tenantId, promptId: event.promptId });
  }
  const trigger = readTrigger(event.trigger);
  // Of a run that another one waits for, that one tells.
  if (event.type !== 'run.finished' || event.runStatus !== 'error' || isChild(trigger)) return;
  const starter = trigger.trigger_type === 'manual' ? trigger.acts_as : null;
  const reason = event.error?.message ?? 'It ended with an error.';
  const isPlaybook = event.runKind === 'playbook';
  await deps.notices.tell(tx, { kind: 'run_failed', ...run, isPlaybook, reason, starter });
}

/** After these nobody can answer any more. */
const questionEnds: ReadonlySet<Recorded['type']> = new Set(['prompt.answered', 'prompt.expired', 'prompt.closed']);

/** After these the run has another status than before. */
const statusEvents: ReadonlySet<Recorded['type']> = new Set([
  'run.created',
  'run.started',
  'run.waiting',
  'run.resumed',
  'run.finished',
]);

type Recorded = RunEvent | StepEvent | PromptEvent;

async function tellCase(deps: Dependencies, tx: Tx, event: Recorded, trigger: RunTrigger): Promise<void> {
  const caseId = trigger.case_id;
  if (caseId === null) return;
  const entry = await storyEntry(deps, tx, event, trigger);
  if (entry) await deps.story.add(tx, { tenant: event.tenantId, caseId, ...entry });
  if (statusEvents.has(event.type) && !isChild(trigger)) {
    await deps.story.setResponseStatus(tx, {
      tenant: event.tenantId,
      caseId,
      responseName: trigger.response_name ?? (await runLabel(deps, tx, event)),
      responseType: event.runKind === 'playbook' ? 'playbook' : 'action',
      runId: event.runId,
      status: event.runStatus,
      byHand: !isAutomated(trigger),
    });
  }
  if (isAutomatedResponse(event, trigger)) {
    await deps.story.automatedResponseSucceeded(tx, { tenant: event.tenantId, caseId, at: event.at });
  }
}

/** Started by an action of another run. */
function isChild({ trigger_type }: RunTrigger): boolean {
  return trigger_type === 'workflow';
}

/** Looking something up is no response; the first action that changed something out there is. */
function isAutomatedResponse(event: Recorded, trigger: RunTrigger): boolean {
  return (
    event.type === 'step.finished' &&
    isAutomated(trigger) &&
    event.stepStatus === 'success' &&
    (event.effect === 'changes' || event.effect === 'destroys')
  );
}

const FINDINGS_MAX = 50;
const FINDING_MAX_LENGTH = 300;

/** What a case shows of an output: its short values. The whole of it, up to a megabyte, stands on the step. */
function findingsOf(output: unknown): Record<string, string | number | boolean> | null {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return null;
  const short = Object.entries(output).filter(
    ([, value]) =>
      (typeof value === 'string' && value.length <= FINDING_MAX_LENGTH) ||
      typeof value === 'number' ||
      typeof value === 'boolean',
  );
  return Object.fromEntries(short.slice(0, FINDINGS_MAX));
}

/** Items of a list that each have an entry in the story; of a longer list one entry says what became of all of them. */
const TOLD_ITEMS = 100;

type StoryEntry = Omit<Parameters<CaseStory['add']>[1], 'tenant' | 'caseId'>;

async function storyEntry(
  deps: Dependencies,
  tx: Tx,
  event: Recorded,
  trigger: RunTrigger,
): Promise<StoryEntry | undefined> {
  switch (event.type) {
    case 'step.finished': {
      if (event.stepKind !== 'action' || event.iteration >= TOLD_ITEMS) return undefined;
      const label = await deps.actionLabel(event.stepName, tx, trustedTenantScope(event.tenantId));
      const text = event.error
        ? `${label} failed: ${event.error.message}`
        : `${label} ${ended(event.stepStatus, 'succeeded')}`;
      const output = findingsOf(event.output);
      const data = { run_id: event.runId, action_uuid: event.stepId, status: event.stepStatus, output };
      return { username: 'system', kind: 'action_finished', text, data };
    }
    case 'list.finished': {
      const { total, succeeded } = event.items;
      if (total <= TOLD_ITEMS) return undefined;
      const label = await deps.actionLabel(event.stepName, tx, trustedTenantScope(event.tenantId));
      const text = `${label} succeeded for ${succeeded} of ${total} items`;
      const data = { run_id: event.runId, action_uuid: event.stepId, status: event.stepStatus, output: event.items };
      return { username: 'system', kind: 'action_finished', text, data };
    }
    case 'prompt.asked':
      return {
        username: 'system',
        kind: 'prompt_asked',
        text: event.message,
        data: { run_id: event.runId, prompt_id: event.promptId },
      };
    case 'prompt.answered': {
      const { option, username, comment } = event.answer;
      const text = username === null ? `Nobody answered in time: ${option}` : `Answered: ${option}`;
      const data = { run_id: event.runId, prompt_id: event.promptId, option, comment };
      return { username: username ?? 'system', kind: 'prompt_answered', text, data };
    }
    case 'run.created':
      return {
        username: isAutomated(trigger) ? 'system' : trigger.username,
        kind: 'run_started',
        text: `Started ${await runLabel(deps, tx, event)}`,
        data: { run_id: event.runId, response_name: trigger.response_name },
      };
    case 'run.finished': {
      const label = await runLabel(deps, tx, event);
      const text = event.error
        ? `${label} failed: ${event.error.message}`
        : `${label} ${ended(event.runStatus, 'finished')}`;
      return { username: 'system', kind: 'run_finished', text, data: { run_id: event.runId, status: event.runStatus } };
    }
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.cancel_requested':
    case 'step.started':
    case 'step.retrying':
    case 'step.waiting':
    case 'step.skipped':
    case 'prompt.expired':
    case 'prompt.closed':
      return undefined;
  }
}

/** A run of one action alone is named after the action. */
async function runLabel(
  deps: Dependencies,
  tx: Tx,
  event: Pick<Recorded, 'tenantId' | 'runKind' | 'runName'>,
): Promise<string> {
  if (event.runKind === 'playbook') return event.runName;
  return await deps.actionLabel(event.runName, tx, trustedTenantScope(event.tenantId));
}

function ended(status: Recorded['runStatus'] | StepEvent['stepStatus'], well: string): string {
  return status === 'cancelled' ? 'was cancelled' : well;
}

function auditEntries(events: readonly EngineEvent[]): AuditEntry[] {
  return events.flatMap((event) => {
    if (event.type === 'job.dead') return [];
    const entry = auditEntry(event, readTrigger(event.trigger));
    return entry ? [{ tenant: event.tenantId, request_id: null, ...entry }] : [];
  });
}

type Entry = Omit<AuditEntry, 'tenant' | 'request_id'>;

/**
 * Starts, ends, what the system cancels and answers, and everything that changed something outside is audited; looking
 * up is not. What a person cancels or answers is recorded by the call that does it, which knows the key and the request.
 */
function auditEntry(event: Recorded, trigger: RunTrigger): Entry | undefined {
  const run = { kind: 'run', id: event.runId } as const;
  const automation: AuditActor = { kind: 'system', id: null, name: 'Automation' };
  const starter = starterOf(event, trigger);
  switch (event.type) {
    case 'run.created':
      return {
        actor: starter,
        action: 'run.start',
        target: run,
        outcome: 'ok',
        data: {
          name: event.runName,
          ...(trigger.automation_off ? { automation: 'off' } : {}),
          ...(event.dryRun ? { dry_run: true } : {}),
        },
      };
    case 'run.finished':
      return {
        actor: automation,
        action: 'run.finish',
        target: run,
        outcome: 'ok',
        data: { status: event.runStatus, ...(event.error ? { code: event.error.code } : {}) },
      };
    case 'run.cancel_requested':
      if (!event.passedOn) return undefined;
      return { actor: automation, action: 'run.cancel', target: run, outcome: 'ok', data: { by: event.by } };
    case 'prompt.answered':
      if (event.answer.username !== null) return undefined;
      return {
        actor: automation,
        action: 'prompt.answer',
        target: { kind: 'prompt', id: event.promptId },
        outcome: 'ok',
        data: { option: event.answer.option },
      };
    case 'step.finished':
      // In a dry run nothing that changes is called.
      if (event.effect === null || event.effect === 'reads' || event.dryRun) return undefined;
      return {
        actor: starter,
        action: 'action.run',
        target: { kind: 'action', id: event.stepId },
        outcome: 'ok',
        data: { name: event.stepName, status: event.stepStatus },
      };
    default:
      return undefined;
  }
}

function starterOf({ startedWith }: Recorded, trigger: RunTrigger): AuditActor {
  if (isAutomated(trigger)) return { kind: 'system', id: null, name: trigger.response_name ?? 'Automation' };
  const name = trigger.username;
  return startedWith === null
    ? { kind: 'user', id: trigger.acts_as, name }
    : { kind: 'api_key', id: startedWith, name };
}
