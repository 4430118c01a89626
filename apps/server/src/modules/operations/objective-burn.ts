import {
  BURN_BAD_MIN,
  type BurnSeverity,
  burnAlerts,
  OBJECTIVE_DAYS,
  type ObjectiveId,
  objectives,
} from '@airdeck/contracts/operations/objectives';

export type Tally = { good: number; bad: number };

/** Every window that is looked at, in minutes, shortest first. */
export const burnWindows: readonly number[] = [
  ...new Set(burnAlerts.flatMap(({ longMinutes, shortMinutes }) => [shortMinutes, longMinutes])),
].sort((a, b) => a - b);

export const BUDGET_MINUTES = OBJECTIVE_DAYS * 24 * 60;

/** In multiples of the rate that uses the budget up in exactly its days; 0 where nothing was counted. */
export function burnRate(objective: ObjectiveId, { good, bad }: Tally): number {
  return good + bad === 0 ? 0 : bad / (good + bad) / (1 - objectives[objective].target);
}

/** The gravest alert whose both windows burn; undefined while the promise is kept. */
export function burningNow(objective: ObjectiveId, tallies: ReadonlyMap<number, Tally>): BurnSeverity | undefined {
  const tallyOf = (minutes: number) => tallies.get(minutes) ?? { good: 0, bad: 0 };
  return burnAlerts.find(({ rate, longMinutes, shortMinutes }) => {
    const long = tallyOf(longMinutes);
    return (
      long.bad >= BURN_BAD_MIN &&
      burnRate(objective, long) >= rate &&
      burnRate(objective, tallyOf(shortMinutes)) >= rate
    );
  })?.severity;
}
