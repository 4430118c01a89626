/** Which cases a figure counts, over `case_record c`: the case list and every figure that opens it ask the same question. */
import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import { type RawBuilder, sql } from 'kysely';
import type { TenantScope } from '../../tenant-scope.ts';

type Condition = RawBuilder<boolean>;

const isOpen = sql`c.status in ('open', 'acknowledged')`;
const activeStatuses = sql`('pending', 'waiting', 'running')`;

/** What is known of what automation did for a case; what people started is not among it. */
type Responded = { readonly has: RawBuilder<unknown>; readonly active: RawBuilder<unknown> };

/** Looked up case by case, which is quick for a page of them. */
const lookedUp: Responded = {
  has: sql`exists (select from case_response r where r.case_id = c.id and not r.by_hand)`,
  active: sql`exists (select from case_response r where r.case_id = c.id and not r.by_hand and r.status in ${activeStatuses})`,
};

/**
 * Responses by case, to be joined as `r` where many cases are counted at once. A response starts after its case opened:
 * `since` leaves out those of older cases, with a day for clocks that differ.
 */
export function responsesByCase(tenantId: string, since: Date): RawBuilder<unknown> {
  return sql`(select s.case_id, bool_or(s.status in ${activeStatuses}) as active,
      count(*) filter (where s.status = 'success' and s.response_type = 'action')::int as actions,
      count(*) filter (where s.status = 'success' and s.response_type = 'playbook')::int as playbooks
    from case_response s
    where s.tenant_id = ${tenantId} and not s.by_hand and s.started_at >= ${since}::timestamptz - interval '1 day'
    group by s.case_id)`;
}

const joined: Responded = { has: sql`r.case_id is not null`, active: sql`coalesce(r.active, false)` };
/** As `isBreached` judges a case that is not closed. A missing target is never missed. */
function lateAt(now: RawBuilder<unknown>): { response: Condition; resolution: Condition } {
  return {
    response: sql`coalesce(coalesce(c.time_acknowledged, c.waiting_since, ${now}) > c.respond_by, false)`,
    resolution: sql`coalesce(coalesce(c.waiting_since, ${now}) > c.resolve_by, false)`,
  };
}

const late = lateAt(sql`now()`);

export const figureConditions = conditionsWith(lookedUp);
const joinedConditions = conditionsWith(joined);

function conditionsWith(responded: Responded): Readonly<Record<CaseFigure, Condition>> {
  return {
    automated_mttd: sql`c.alert_type = 'policy'`,
    manual_mttd: sql`c.time_acknowledged is not null`,
    automated_mttr: sql`(c.automated_response_at is not null or (c.time_closed is not null and not c.closed_by_person))`,
    manual_mttr: sql`(c.time_closed is not null and c.closed_by_person)`,
    answered: sql`c.automated_response_at is not null`,
    answer_failed: sql`(c.automated_response_at is null and ${responded.has} and not ${responded.active})`,
    answering: sql`(c.automated_response_at is null and ${responded.active})`,
    unanswered: sql`(c.automated_response_at is null and not (${responded.has}))`,
    ended: sql`(c.automated_response_at is not null or (${responded.has} and not ${responded.active}))`,
    false_positive: sql`(c.close_reason = 'false_positive')`,
    late_response: sql`(${isOpen} and ${late.response})`,
    late_resolution: sql`(${isOpen} and ${late.resolution})`,
    late: sql`(${isOpen} and (${late.response} or ${late.resolution}))`,
    in_time: sql`(${isOpen} and not (${late.response} or ${late.resolution}))`,
  };
}

/** What a `policy p` names of MITRE ATT&CK, a part of a technique as the technique: it may come several times. */
export const namedTechniques = sql`(
  select split_part(named.technique, '.', 1) as technique
  from jsonb_array_elements_text(p.rule -> 'techniques') as named (technique))`;

/** Cases of policies that name it. As an array, so that they are looked up once and found by index, as policies named by id are. */
export function ofTechnique({ tenantId }: TenantScope, technique: string): Condition {
  return sql`c.policy_id = any(array(
    select p.id from policy p
    where p.tenant_id = ${tenantId} and ${technique} in (select n.technique from ${namedTechniques} n)))`;
}

/** How many open cases among the rows at hand are late at a time of the caller's. */
export function countOfLate(now: Date): RawBuilder<number> {
  const { response, resolution } = lateAt(sql`${now}::timestamptz`);
  return sql<number>`count(*) filter (where ${isOpen} and (${response} or ${resolution}))::int`;
}

/** How many of the rows at hand a figure counts. */
export function countOf(figure: CaseFigure): RawBuilder<number> {
  return sql<number>`count(*) filter (where ${figureConditions[figure]})::int`;
}

/** The same where `responsesByCase` is joined. */
export function countOfJoined(figure: CaseFigure): RawBuilder<number> {
  return sql<number>`count(*) filter (where ${joinedConditions[figure]})::int`;
}
