/**
 * Stops automation that makes what it answers: a policy whose playbook causes the events it looks for, a rule whose action
 * raises its alert again. Such a circle goes through other products, so it cannot be followed; it is known by its pace.
 *
 *   going ──(answered `automationAnswersMax` within the window)──► stopped ──(a window later)──► going
 *
 * Nothing is kept for it: how often something answered, and since when it is stopped, is read from the history of what was
 * started, which all processes write. No lock is taken, so several at once may go over by one answer each. A crash changes
 * nothing. What is stopped stands in the history like what started; people are told once of all stops that follow each other
 * within `automationIncidentS`.
 */
import { serverLimits } from '@airdeck/contracts/server-limits';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Notices } from '../notifications/notifications-port.ts';

/** What answers: of a policy all its automations together, since a circle may go through any of them. */
export type AnsweringSource = { kind: 'policy' | 'automation_rule'; id: string; name: string };

export type RecentAnswers = {
  /** Cases or alerts that something was started for since the time asked about. */
  answers: number;
  /** The first stop after the last start, however long ago. */
  stoppedFrom: Date | null;
};

export interface AnswerHistory {
  recent(tx: Tx, scope: TenantScope, sourceId: string, since: Date): Promise<RecentAnswers>;
  hasStop(tx: Tx, scope: TenantScope, sourceId: string, since: Date): Promise<boolean>;
}

/** Whether one more case or alert may be answered, by the automation of that name first; asked only when one would start. */
export type MayAnswer = (tx: Tx, scope: TenantScope, responseName: string) => Promise<boolean>;

export type AutomationBrake = {
  /** For the answers of one source in one transaction. */
  of(source: AnsweringSource, history: AnswerHistory): MayAnswer;
};

type Dependencies = {
  audit: Pick<AuditLog, 'record'>;
  notices: Pick<Notices, 'tell'>;
  now: () => Date;
  /** Default: `serverLimits.automationAnswersMax`. */
  answersMax: number;
};

const WINDOW_MS = serverLimits.automationWindowS * 1_000;
const INCIDENT_MS = serverLimits.automationIncidentS * 1_000;

export function createAutomationBrake(deps: Dependencies): AutomationBrake {
  return {
    of(source, history) {
      let known: RecentAnswers | undefined;
      let isTold = false;
      return async (tx, scope, responseName) => {
        const at = deps.now();
        known ??= await history.recent(tx, scope, source.id, new Date(at.getTime() - WINDOW_MS));
        if (!isStopped(known, at, deps.answersMax)) {
          known.answers++;
          return true;
        }
        if (isTold) return false;
        isTold = true;
        if (await isFirstStop(tx, scope, { source, history, at })) {
          const until = new Date(at.getTime() + WINDOW_MS);
          await tell(deps, tx, scope, { source, responseName, answers: known.answers, until });
        }
        return false;
      };
    },
  };
}

function isStopped({ answers, stoppedFrom }: RecentAnswers, at: Date, answersMax: number): boolean {
  if (stoppedFrom !== null && at.getTime() - stoppedFrom.getTime() < WINDOW_MS) return true;
  return answers >= answersMax;
}

type Stop = { source: AnsweringSource; history: AnswerHistory; at: Date };

/** Who does not get the lock need not wait for it: whoever has it tells. */
async function isFirstStop(tx: Tx, scope: TenantScope, { source, history, at }: Stop): Promise<boolean> {
  const key = `automation-stop/${scope.tenantId}/${source.id}`;
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as mine`.execute(tx);
  if (rows[0]?.mine !== true) return false;
  return !(await history.hasStop(tx, scope, source.id, new Date(at.getTime() - INCIDENT_MS)));
}

type Told = { source: AnsweringSource; responseName: string; answers: number; until: Date };

async function tell(
  { audit, notices }: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { source, ...stop }: Told,
): Promise<void> {
  await notices.tell(tx, { kind: 'automation_stopped', tenant: scope.tenantId, source, ...stop });
  await audit.record(tx, {
    tenant: scope.tenantId,
    actor: { kind: 'system', id: null, name: 'Automation' },
    action: 'automation.stop',
    target: { kind: source.kind, id: source.id },
    outcome: 'ok',
    data: {
      name: source.name,
      response_name: stop.responseName,
      answers: stop.answers,
      until: stop.until.toISOString(),
    },
    request_id: null,
  });
}
