import type { Company } from '../company.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';

export type ScenarioContext = {
  readonly company: Company;
  readonly random: Random;
  /** When it begins, milliseconds since the epoch. */
  readonly startAt: number;
};

/** What a scenario puts into the logs, and what somebody watching should find. */
export type ScenarioRun = {
  readonly records: readonly RawRecord[];
  /** The address a policy should name. */
  readonly attacker: string;
};

export type Scenario = {
  /** Kebab-case, used on the command line. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  play(context: ScenarioContext): ScenarioRun;
};

/** Some address of 203.0.113.0/24, where the simulator's attackers live. */
export function attackerAddress(random: Random): string {
  return `203.0.113.${random.int(2, 250)}`;
}

/** Another one, so that noise and attack are never mixed up. */
export function otherAddress(random: Random, not: string): string {
  const last = Number(not.split('.')[3]);
  return `203.0.113.${((last + random.int(1, 200)) % 249) + 2}`;
}

/** `count` moments in order within `withinMs` from `startAt`, the first at its beginning. */
export function moments(random: Random, startAt: number, count: number, withinMs: number): number[] {
  const offsets = Array.from({ length: count }, (_, index) => (index === 0 ? 0 : random.int(0, withinMs - 1)));
  return offsets.sort((a, b) => a - b).map((offset) => startAt + offset);
}

export function inOrder(name: string, records: readonly RawRecord[]): RawRecord[] {
  return records.map((record) => ({ ...record, scenario: name })).sort((a, b) => a.time - b.time);
}
