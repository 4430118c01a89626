import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import type { CaseFigure } from '@airdeck/contracts/cases/figures';

type Part = AirOverview['trend'][number];
type Times = { startTime: string; endTime: string };

/** Each part of the trend, from when to when; the first and the last may be cut by the period. */
export function partsOf({
  trend,
  start_time: start,
  end_time: end,
}: Pick<AirOverview, 'trend' | 'start_time' | 'end_time'>): (Times & { part: Part })[] {
  return trend.map((part, index) => ({
    part,
    startTime: part.t < start ? start : part.t,
    endTime: trend[index + 1]?.t ?? end,
  }));
}

/** The cases a number of a part is taken over, as the list is asked for them. */
export function casesOf(
  { startTime, endTime }: Times,
  name: Exclude<keyof Part, 't'>,
): Times & { figure?: CaseFigure } {
  return { startTime, endTime, ...(name === 'cases' ? {} : { figure: name }) };
}
