import type { Company } from './company.ts';
import { createCompany } from './company.ts';
import { everydayRecords, slotSeconds } from './events/everyday.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { RawRecord } from './raw-record.ts';
import type { Scenario, ScenarioRun } from './scenarios/scenario.ts';
import { findScenario, scenarioList } from './scenarios/scenario-list.ts';

export type ScenarioSchedule = {
  /** One scenario per slot of this length, at some moment in its first half. */
  readonly everyMinutes: number;
  /** Default all of them. */
  readonly names?: readonly string[];
};

export type TimelineOptions = {
  readonly seed: string;
  /** Everyday records per second at the busiest hour; fractions are fine. */
  readonly ratePerSecond: number;
  readonly scenarios?: ScenarioSchedule;
};

/** Everything that happens in the company, at any time, from a seed: the same stretch always gives the same records. */
export interface Timeline {
  readonly company: Company;
  /** Records with `from` ≤ time < `to` (milliseconds), in order. Held in memory: ask for stretches, not for years. */
  recordsBetween(from: number, to: number): RawRecord[];
  /** One scenario played from a moment; the same `label` gives the same records, moved in time. */
  play(name: string, startAt: number, label: string): ScenarioRun;
}

/** Thrown for a scenario that does not exist. The message lists those that do. */
export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
  readonly code = 'SCENARIO_UNKNOWN';

  constructor(name: string) {
    super(`There is no scenario "${name}". Known: ${scenarioList.map((scenario) => scenario.name).join(', ')}.`);
  }
}

/** No scenario lasts longer; how far before a stretch one may have begun that reaches into it. */
const LONGEST_SCENARIO_MS = 600_000;

export function createTimeline({ seed, ratePerSecond, scenarios }: TimelineOptions): Timeline {
  const company = createCompany(seed);
  const random = createRandom(seed);
  const seconds = slotSeconds(ratePerSecond);
  const planned = scenarios === undefined ? [] : scenariosOf(scenarios);

  function play(name: string, startAt: number, label: string): ScenarioRun {
    const scenario = findScenario(name);
    if (scenario === undefined) throw new UnknownScenarioError(name);
    return scenario.play({ company, random: random.fork(`scenario ${name} ${label}`), startAt });
  }

  function scheduled(from: number, to: number): RawRecord[] {
    if (scenarios === undefined) return [];
    const slotMs = scenarios.everyMinutes * 60_000;
    const records: RawRecord[] = [];
    for (let slot = Math.floor((from - LONGEST_SCENARIO_MS) / slotMs); slot * slotMs < to; slot += 1) {
      const { name, startAt } = slotPlan(random, planned, slot, slotMs);
      if (startAt < to && startAt + LONGEST_SCENARIO_MS >= from) {
        records.push(...play(name, startAt, `slot ${slot}`).records);
      }
    }
    return records;
  }

  return {
    company,
    play,
    recordsBetween(from, to) {
      const records: RawRecord[] = [];
      for (let slot = Math.floor(from / 1000 / seconds) * seconds; slot * 1000 < to; slot += seconds) {
        records.push(...everydayRecords(company, random, { from: slot, seconds, ratePerSecond }));
      }
      return [...records, ...scheduled(from, to)]
        .filter((record) => record.time >= from && record.time < to)
        .sort((a, b) => a.time - b.time);
    },
  };
}

function scenariosOf(schedule: ScenarioSchedule): readonly [Scenario, ...Scenario[]] {
  if (!(schedule.everyMinutes >= 1)) throw new RangeError('Scenarios come at most once a minute.');
  const chosen = (schedule.names ?? scenarioList.map((scenario) => scenario.name)).map((name) => {
    const scenario = findScenario(name);
    if (scenario === undefined) throw new UnknownScenarioError(name);
    return scenario;
  });
  const [first, ...others] = chosen;
  if (first === undefined) throw new RangeError('A schedule needs at least one scenario.');
  return [first, ...others];
}

function slotPlan(random: Random, planned: readonly Scenario[], slot: number, slotMs: number) {
  const own = random.fork(`slot ${slot}`);
  const [first, ...others] = planned;
  if (first === undefined) throw new RangeError('A schedule needs at least one scenario.');
  return { name: own.pick([first, ...others]).name, startAt: slot * slotMs + own.int(0, Math.floor(slotMs / 2)) };
}
