import type { PolicyLogic, PolicySequence } from '@airdeck/contracts/policies/schema';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';

type Counting = Pick<PolicyLogic, 'group_by' | 'threshold' | 'suppress_for_s'> & {
  /** Stored or being edited: how many steps there are is all that is said of them. */
  sequence?: (Omit<PolicySequence, 'steps'> & { readonly steps: readonly unknown[] }) | undefined;
};

/** An exact length of time: "5 minutes", "90 seconds". */
export function lengthWords(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return plural(seconds / 86_400, '{count} day', '{count} days');
  if (seconds >= 3600 && seconds % 3600 === 0) return plural(seconds / 3600, '{count} hour', '{count} hours');
  if (seconds >= 60 && seconds % 60 === 0) return plural(seconds / 60, '{count} minute', '{count} minutes');
  return plural(seconds, '{count} second', '{count} seconds');
}

/** What a policy does with the events that fit, one sentence after the other. */
export function countingSentences({ group_by, threshold, sequence, suppress_for_s }: Counting): string[] {
  const group = listed(group_by);
  return [
    sequence === undefined ? opening(threshold, group) : followed(sequence, group),
    group === ''
      ? t('While that case is open, every further match joins it.')
      : t(
          'While that case is open, further matches of the same {group} join it; another {group} gets a case of its own.',
          { group },
        ),
    ...(suppress_for_s === undefined || suppress_for_s === 0 ? [] : [quiet(suppress_for_s, group)]),
  ];
}

/** The same in a few words, for a fact: "10 of the same src_ip within 5 minutes". */
export function thresholdWords({ group_by, threshold, sequence }: Counting): string {
  const group = listed(group_by);
  if (sequence !== undefined) {
    const given = { steps: sequence.steps.length, time: lengthWords(sequence.within_s) };
    return group === ''
      ? t('{steps} steps within {time}', given)
      : t('{steps} steps of the same {group} within {time}', { ...given, group });
  }
  if (threshold === undefined) return group === '' ? t('Each match') : t('Each match of the same {group}', { group });
  const { count, distinct_field: field, within_s } = threshold;
  const given = { count, time: lengthWords(within_s) };
  if (field === undefined) {
    return group === ''
      ? t('{count} within {time}', given)
      : t('{count} of the same {group} within {time}', { ...given, group });
  }
  return group === ''
    ? t('{count} different {field} within {time}', { ...given, field })
    : t('{count} different {field} of the same {group} within {time}', { ...given, field, group });
}

function opening(threshold: Counting['threshold'], group: string): string {
  if (threshold === undefined || (threshold.count === 1 && threshold.distinct_field === undefined)) {
    return group === ''
      ? t('An event that fits opens a case.')
      : t('An event that fits opens a case for its {group}.', { group });
  }
  const { count, within_s, distinct_field: field } = threshold;
  const given = { count, time: lengthWords(within_s) };
  if (field === undefined) {
    return group === ''
      ? t('{count} events that fit within {time} open a case.', given)
      : t('{count} events of the same {group} that fit within {time} open a case.', { ...given, group });
  }
  return group === ''
    ? t('{count} different values of {field}, in events that fit within {time}, open a case.', { ...given, field })
    : t('{count} different values of {field}, in events of the same {group} that fit within {time}, open a case.', {
        ...given,
        field,
        group,
      });
}

function followed({ steps, within_s, any_order }: NonNullable<Counting['sequence']>, group: string): string {
  const given = { steps: steps.length, time: lengthWords(within_s) };
  if (any_order === true) {
    return group === ''
      ? t('Events that go through {steps} steps, in any order, within {time} open a case.', given)
      : t('Events of the same {group} that go through {steps} steps, in any order, within {time} open a case.', {
          ...given,
          group,
        });
  }
  return group === ''
    ? t('Events that go through {steps} steps, one after the other, within {time} open a case.', given)
    : t('Events of the same {group} that go through {steps} steps, one after the other, within {time} open a case.', {
        ...given,
        group,
      });
}

function quiet(seconds: number, group: string): string {
  const time = lengthWords(seconds);
  return group === ''
    ? t('For {time} after a case was opened, the policy opens no other, even when it was closed.', { time })
    : t('For {time} after a case was opened, the same {group} opens no other, even when it was closed.', {
        time,
        group,
      });
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t('{items} and {last}', { items: names.slice(0, -1).join(', '), last });
}
