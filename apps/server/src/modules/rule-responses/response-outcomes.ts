/** What responses did for the cases they were asked to answer. */
import type { ResponseHistoryEntry, ResponseOutcome, RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { CaseSeverity, RunStatus } from '@airdeck/contracts/statuses';
import { storableText } from '@airdeck/domain/storable-json';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { actionOfRun } from '../activity/action-of-run.ts';
import { referenceOf } from '../cases/case-view.ts';
import type { AnswerHistory, RecentAnswers } from './automation-brake.ts';

export type NewOutcome = {
  ruleId: string;
  responseName: string;
  caseId: string;
  at: Date;
  outcome: ResponseOutcome;
  runId: string | null;
  problem: string | null;
};

/** Names one response of a policy. */
export type ResponseKey = { rule_id: string; response_name: string };

type EntryRow = {
  rule_id: string;
  response_name: string;
  at: Date;
  outcome: ResponseOutcome;
  case_id: string;
  case_number: number;
  case_name: string;
  case_severity: CaseSeverity;
  run_id: string | null;
  action_uuid: string | null;
  status: RunStatus | null;
  problem: string | null;
};

const PROBLEM_MAX = 2000;

/** A case asked about twice keeps what came of the first time, unless nothing was started then and something is now. */
export async function addOutcomes(tx: Tx, scope: TenantScope, outcomes: readonly NewOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx
    .insertInto('rule_response_outcome')
    .values(
      outcomes.map(({ ruleId, responseName, caseId, runId, problem, ...rest }) => ({
        ...rest,
        tenant_id: scope.tenantId,
        rule_id: ruleId,
        response_name: responseName,
        case_id: caseId,
        run_id: runId,
        problem: problem === null ? null : storableText(problem.slice(0, PROBLEM_MAX)),
      })),
    )
    .onConflict((on) =>
      on
        .columns(['tenant_id', 'rule_id', 'response_name', 'case_id'])
        .doUpdateSet((row) => ({
          at: row.ref('excluded.at'),
          outcome: row.ref('excluded.outcome'),
          run_id: row.ref('excluded.run_id'),
          problem: row.ref('excluded.problem'),
        }))
        .where('rule_response_outcome.run_id', 'is', null)
        .where('excluded.run_id', 'is not', null),
    )
    .execute();
}

export async function deleteOutcomes(tx: Tx, scope: TenantScope, key: ResponseKey): Promise<void> {
  await tx
    .deleteFrom('rule_response_outcome')
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', key.rule_id)
    .where('response_name', '=', key.response_name)
    .execute();
}

/** What the automations of a policy did of late, for the brake. */
export const caseAnswers: AnswerHistory = {
  async recent(tx, scope, policyId, since) {
    const own = sql`tenant_id = ${scope.tenantId} and rule_id = ${policyId}`;
    const { rows } = await sql<RecentAnswers>`
      select
        (select count(distinct case_id)::int from rule_response_outcome
          where ${own} and outcome = 'started' and at > ${since}) as answers,
        (select min(at) from rule_response_outcome where ${own} and outcome = 'stopped' and at >= coalesce(
          (select max(at) from rule_response_outcome where ${own} and outcome = 'started'), '-infinity')) as "stoppedFrom"
      `.execute(tx);
    return rows[0] ?? { answers: 0, stoppedFrom: null };
  },
  async hasStop(tx, scope, policyId, since) {
    const { rows } = await sql`
      select from rule_response_outcome
      where tenant_id = ${scope.tenantId} and rule_id = ${policyId} and outcome = 'stopped' and at > ${since}
      limit 1`.execute(tx);
    return rows.length > 0;
  },
};

/** Newest first. */
export async function pageOfHistory(
  tx: Tx,
  scope: TenantScope,
  key: ResponseKey,
  page: { limit: number; offset: number },
): Promise<{ entries: ResponseHistoryEntry[]; total: number }> {
  const own = sql`o.tenant_id = ${scope.tenantId} and o.rule_id = ${key.rule_id} and o.response_name = ${key.response_name}`;
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from ${entryTables} where ${own}
    order by o.at desc, o.case_id desc limit ${page.limit} offset ${page.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from rule_response_outcome o where ${own}`.execute(tx);
  return { entries: rows.map(entryOnTheWire), total: counted.rows[0]?.total ?? 0 };
}

/** The newest entry of each of these responses that has one. */
export async function lastOutcomes(
  tx: Tx,
  scope: TenantScope,
  keys: readonly ResponseKey[],
): Promise<ReadonlyMap<string, ResponseHistoryEntry>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<EntryRow>`
    select ${entryColumns}
    from ${keyRows(keys)}
    cross join lateral (
      select * from rule_response_outcome o
      where o.tenant_id = ${scope.tenantId} and o.rule_id = k."rule_id" and o.response_name = k."response_name"
      order by o.at desc, o.case_id desc limit 1) o
    join case_record c on c.tenant_id = ${scope.tenantId} and c.id = o.case_id
    left join case_response r on r.case_id = o.case_id and r.run_id = o.run_id`.execute(tx);
  return new Map(rows.map((row) => [keyText(row), entryOnTheWire(row)]));
}

type ResponseFigures = RuleResponse['figures'];

export const noFigures: ResponseFigures = { succeeded: 0, failed: 0, cancelled: 0, active: 0, skipped: 0 };

/** Counts since a time, by response. */
export async function outcomeFigures(
  tx: Tx,
  scope: TenantScope,
  keys: readonly ResponseKey[],
  since: Date,
): Promise<ReadonlyMap<string, ResponseFigures>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<ResponseKey & ResponseFigures>`
    select o.rule_id, o.response_name,
      count(*) filter (where r.status = 'success')::int as succeeded,
      count(*) filter (where o.outcome in ('failed', 'stopped') or r.status = 'error')::int as failed,
      count(*) filter (where r.status = 'cancelled')::int as cancelled,
      count(*) filter (where o.outcome = 'started'
        and coalesce(r.status, 'pending') not in ('success', 'error', 'cancelled'))::int as active,
      count(*) filter (where o.outcome = 'skipped')::int as skipped
    from ${keyRows(keys)}
    join rule_response_outcome o on o.tenant_id = ${scope.tenantId} and o.rule_id = k."rule_id"
      and o.response_name = k."response_name" and o.at >= ${since}
    left join case_response r on r.case_id = o.case_id and r.run_id = o.run_id
    group by 1, 2`.execute(tx);
  return new Map(rows.map(({ rule_id, response_name, ...figures }) => [keyText({ rule_id, response_name }), figures]));
}

export function keyText({ rule_id, response_name }: ResponseKey): string {
  return `${rule_id} ${response_name}`;
}

function keyRows(keys: readonly ResponseKey[]): RawBuilder<unknown> {
  const json = JSON.stringify(keys.map(({ rule_id, response_name }) => ({ rule_id, response_name })));
  return sql`json_to_recordset(${json}::json) as k ("rule_id" uuid, "response_name" text)`;
}

const entryColumns = sql`o.rule_id, o.response_name, o.at, o.outcome, o.case_id, c.number as case_number,
  c.name as case_name, c.severity as case_severity, o.run_id, 
  ${actionOfRun({ tenantId: 'o.tenant_id', runId: 'o.run_id' })} as action_uuid, r.status, o.problem`;

const entryTables = sql`rule_response_outcome o
  join case_record c on c.tenant_id = o.tenant_id and c.id = o.case_id
  left join case_response r on r.case_id = o.case_id and r.run_id = o.run_id`;

function entryOnTheWire(row: EntryRow): ResponseHistoryEntry {
  return {
    at: row.at.toISOString(),
    outcome: row.outcome,
    case_id: row.case_id,
    case_reference: referenceOf(row.case_number),
    case_name: row.case_name,
    case_severity: row.case_severity,
    run_id: row.run_id,
    action_uuid: row.action_uuid,
    // The first report of a run comes with its first step.
    status: row.outcome === 'started' ? (row.status ?? 'pending') : null,
    problem: row.problem,
  };
}
