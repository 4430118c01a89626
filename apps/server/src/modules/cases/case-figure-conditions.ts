/** Which cases a figure counts, over `case_record c`: the case list and every figure that opens it ask the same question. */
import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import { type RawBuilder, sql } from 'kysely';

type Condition = RawBuilder<boolean>;

const isOpen = sql`c.status in ('open', 'acknowledged')`;
const hasResponse = sql`exists (select from case_response r where r.case_id = c.id)`;
const hasActiveResponse = sql`exists (select from case_response r where r.case_id = c.id
  and r.status in ('pending', 'waiting', 'running'))`;
/** As `isBreached` judges a case that is not closed. A missing target is never missed. */
const lateResponse = sql`coalesce(coalesce(c.time_acknowledged, c.waiting_since, now()) > c.respond_by, false)`;
const lateResolution = sql`coalesce(coalesce(c.waiting_since, now()) > c.resolve_by, false)`;

export const figureConditions: Readonly<Record<CaseFigure, Condition>> = {
  automated_mttd: sql`c.alert_type = 'policy'`,
  manual_mttd: sql`c.time_acknowledged is not null`,
  automated_mttr: sql`(c.automated_response_at is not null or (c.time_closed is not null and not c.closed_by_person))`,
  manual_mttr: sql`(c.time_closed is not null and c.closed_by_person)`,
  answered: sql`c.automated_response_at is not null`,
  answer_failed: sql`(c.automated_response_at is null and ${hasResponse} and not ${hasActiveResponse})`,
  answering: sql`(c.automated_response_at is null and ${hasActiveResponse})`,
  unanswered: sql`(c.automated_response_at is null and not ${hasResponse})`,
  late_response: sql`(${isOpen} and ${lateResponse})`,
  late_resolution: sql`(${isOpen} and ${lateResolution})`,
  late: sql`(${isOpen} and (${lateResponse} or ${lateResolution}))`,
  in_time: sql`(${isOpen} and not (${lateResponse} or ${lateResolution}))`,
};

/** How many of the rows at hand a figure counts. */
export function countOf(figure: CaseFigure): RawBuilder<number> {
  return sql<number>`count(*) filter (where ${figureConditions[figure]})::int`;
}
