/**
 * What cases of a period and of the one before add up to. They are read once, added up by part of the time and policy, and
 * those sums are added up further: a year of cases is a lot to look at four times.
 */
import type { AirOverview, PeriodFigures } from '@airdeck/contracts/air-overview/schema';
import { type CaseFigure, minutesSavedBy } from '@airdeck/contracts/cases/figures';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { countOfJoined, responsesByCase } from './case-figure-conditions.ts';
import { type CaseMeans, caseMeasures } from './case-means.ts';

const measured = ['automated_mttd', 'manual_mttd', 'automated_mttr', 'manual_mttr'] as const;
type Measure = (typeof measured)[number];
const counted = ['answered', 'answer_failed', 'answering', 'unanswered', ...measured] as const;

type Row = Record<(typeof counted)[number] | 'cases' | 'closed' | 'false_positives' | 'time_saved_minutes', number> &
  CaseMeans & {
    /** Of the earlier of the two periods. */
    before: boolean | null;
    /** Counted from 1. */
    part: number | null;
    policy_id: string | null;
    sum: 'period' | 'part' | 'policy';
  } & Record<`${Measure}_s`, number | null>;

export type PolicySum = { policy_id: string; cases: number; open: number; answered: number; false_positives: number };
export type PartSum = Omit<AirOverview['trend'][number], 't'>;

export type OverviewSums = {
  period: PeriodFigures;
  previous: PeriodFigures;
  parts: ReadonlyMap<number, PartSum>;
  /** Of the period, in no order. */
  policies: readonly PolicySum[];
};

/** From when the period before begins to when the last part of the period ends. */
type Order = { before: Date; parts: readonly [Date, ...Date[]]; end: Date };

export async function readSums(tx: Tx, scope: TenantScope, order: Order): Promise<OverviewSums> {
  // Sums of thousands of parts and policies are kept in memory rather than sorted on disk.
  await sql`select set_config('work_mem', '32MB', true)`.execute(tx);
  const { rows } = await sql<Row>`
    with cell as materialized (${cells(scope, order)})
    select c.before, c.part, c.policy_id,
      case grouping(c.before, c.part, c.policy_id) when 3 then 'period' when 5 then 'part' else 'policy' end as sum,
      ${sql.join(['cases', 'closed', 'false_positives', 'time_saved_minutes', ...counted].map(summed))},
      ${sql.join(measured.map(meanOfSums))}
    from (select *, part = 0 as before from cell) c
    group by grouping sets ((c.before), (c.part), (c.before, c.policy_id))`.execute(tx);
  const current = rows.filter(({ before }) => before !== true);
  return {
    period: figuresOf(current.find(({ sum }) => sum === 'period')),
    previous: figuresOf(rows.find(({ sum, before }) => sum === 'period' && before === true)),
    parts: new Map(
      current.flatMap((row) => (row.sum === 'part' && row.part ? [[row.part - 1, partOf(row)] as const] : [])),
    ),
    policies: current.flatMap(({ sum, policy_id, cases, closed, answered, false_positives }) =>
      sum === 'policy' && policy_id !== null
        ? [{ policy_id, cases, open: cases - closed, answered, false_positives }]
        : [],
    ),
  };
}

/** Cases by part of the time, counted from 1 (0 is the period before), and policy. */
function cells(scope: TenantScope, { before, parts, end }: Order): RawBuilder<unknown> {
  const saved = sql`coalesce(sum(r.actions * ${minutesSavedBy.action}::int + r.playbooks * ${minutesSavedBy.playbook}::int), 0)`;
  return sql`
    select width_bucket(c.time_opened, ${parts}::timestamptz[]) as part, c.policy_id,
      count(*)::int as cases, count(*) filter (where c.status = 'closed')::int as closed,
      count(*) filter (where c.close_reason = 'false_positive')::int as false_positives,
      ${saved}::int as time_saved_minutes,
      ${sql.join(counted.map((figure: CaseFigure) => sql`${countOfJoined(figure)} as ${sql.ref(figure)}`))},
      ${sql.join(
        measured.map(
          (name) => sql`sum(${caseMeasures[name]}) as ${sql.ref(`${name}_s`)},
            count(${caseMeasures[name]})::int as ${sql.ref(`${name}_n`)}`,
        ),
      )}
    from case_record c
    left join ${responsesByCase(scope.tenantId, before)} r on r.case_id = c.id
    where c.tenant_id = ${scope.tenantId} and c.time_opened >= ${before} and c.time_opened < ${end}
    group by 1, 2`;
}

function summed(name: string): RawBuilder<unknown> {
  return sql`sum(c.${sql.ref(name)})::int as ${sql.ref(name)}`;
}

function meanOfSums(name: Measure): RawBuilder<unknown> {
  const [sum, count] = [sql.ref(`${name}_s`), sql.ref(`${name}_n`)];
  return sql`extract(epoch from sum(c.${sum}) / nullif(sum(c.${count}), 0))::float8 as ${sum}`;
}

function figuresOf(row: Row | undefined): PeriodFigures {
  const count = (name: (typeof counted)[number] | 'cases' | 'closed' | 'time_saved_minutes') => row?.[name] ?? 0;
  const meanOf = (name: Measure) => ({ seconds: row?.[`${name}_s`] ?? null, cases: count(name) });
  return {
    cases: count('cases'),
    closed: count('closed'),
    automated_mttd: meanOf('automated_mttd'),
    manual_mttd: meanOf('manual_mttd'),
    automated_mttr: meanOf('automated_mttr'),
    manual_mttr: meanOf('manual_mttr'),
    answered: count('answered'),
    answer_failed: count('answer_failed'),
    answering: count('answering'),
    unanswered: count('unanswered'),
    time_saved_minutes: count('time_saved_minutes'),
  };
}

function partOf(row: Row): PartSum {
  return {
    cases: row.cases,
    answered: row.answered,
    automated_mttd: row.automated_mttd_s,
    manual_mttd: row.manual_mttd_s,
    automated_mttr: row.automated_mttr_s,
    manual_mttr: row.manual_mttr_s,
  };
}
