import type { PolicyLogic } from '@airdeck/contracts/policies/schema';

type Counting = Pick<PolicyLogic, 'group_by' | 'threshold' | 'sequence' | 'suppress_for_s'>;

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** An exact length of time: "5 minutes", "90 seconds". */
export function lengthWords(seconds: number): string {
  const [name, size] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? (['second', 1] as const);
  const count = seconds / size;
  return count === 1 ? `1 ${name}` : `${count} ${name}s`;
}

/** What a policy does with the events that fit, one sentence after the other. */
export function countingSentences({ group_by, threshold, sequence, suppress_for_s }: Counting): string[] {
  const group = listed(group_by);
  return [
    sequence === undefined ? opening(threshold, group) : followed(sequence, group),
    group === ''
      ? 'While that case is open, every further match joins it.'
      : `While that case is open, further matches of the same ${group} join it; another ${group} gets a case of its own.`,
    ...(suppress_for_s === undefined || suppress_for_s === 0 ? [] : [quiet(suppress_for_s, group)]),
  ];
}

/** The same in a few words, for a fact: "10 of the same src_ip within 5 minutes". */
export function thresholdWords({ group_by, threshold, sequence }: Counting): string {
  const group = group_by.length === 0 ? '' : ` of the same ${listed(group_by)}`;
  if (sequence !== undefined) return `${sequence.steps.length} steps${group} within ${lengthWords(sequence.within_s)}`;
  if (threshold === undefined) return group === '' ? 'Each match' : `Each match${group}`;
  const { count, distinct_field, within_s } = threshold;
  const what = distinct_field === undefined ? count : `${count} different ${distinct_field}`;
  return `${what}${group} within ${lengthWords(within_s)}`;
}

function opening(threshold: Counting['threshold'], group: string): string {
  const same = group === '' ? '' : ` of the same ${group}`;
  if (threshold === undefined || (threshold.count === 1 && threshold.distinct_field === undefined)) {
    return group === '' ? 'An event that fits opens a case.' : `An event that fits opens a case for its ${group}.`;
  }
  const { count, within_s, distinct_field } = threshold;
  const time = lengthWords(within_s);
  if (distinct_field === undefined) return `${count} events${same} that fit within ${time} open a case.`;
  return `${count} different values of ${distinct_field}, in events${same} that fit within ${time}, open a case.`;
}

function followed({ steps, within_s, any_order }: NonNullable<Counting['sequence']>, group: string): string {
  const order = any_order === true ? 'in any order' : 'one after the other';
  const same = group === '' ? '' : ` of the same ${group}`;
  return `Events${same} that go through ${steps.length} steps, ${order}, within ${lengthWords(within_s)} open a case.`;
}

function quiet(seconds: number, group: string): string {
  const who = group === '' ? 'the policy opens no other' : `the same ${group} opens no other`;
  return `For ${lengthWords(seconds)} after a case was opened, ${who}, even when it was closed.`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
