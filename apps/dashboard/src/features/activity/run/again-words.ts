import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { t } from '../../../language/translate.ts';

/** What running again means. */
export function againText(dryRun: boolean): string {
  return dryRun
    ? t('A new try begins with the same inputs, by the version that is published now. Only what reads really runs.')
    : t('A new run begins with the same inputs, by the version that is published now. It acts anew in your products.');
}

/** Of every other code it is known that nothing happened yet, or that it may be repeated. */
const mayHaveHappened: ReadonlySet<string> = new Set(['OUTCOME_UNKNOWN', 'OUTPUT_TOO_LARGE', 'OUTPUT_NOT_JSON']);

/**
 * Whether retrying, all that failed or from one action on, may do something a second time.
 *
 * @param errorCode of that action, or of what ended the run
 */
export function mayHappenTwice({ playbook, summary }: PlaybookRun, from?: string, errorCode?: string): boolean {
  if (errorCode !== undefined && mayHaveHappened.has(errorCode)) return true;
  const repeated = new Set(from === undefined ? [] : [from]);
  // Each turn finds what depends on what the one before found.
  for (let known = -1; known < repeated.size; ) {
    known = repeated.size;
    for (const { id, depends_on } of playbook.definition.actions)
      if (depends_on?.some((before) => repeated.has(before))) repeated.add(id);
  }
  return summary.actions_summary.some(
    ({ outcome_unknown, status, workflow_action_id: id }) =>
      outcome_unknown === true && (status !== 'success' || repeated.has(id)),
  );
}

/** What retrying means, all that failed or from one action on; where it may do something twice, that is said first. */
export function retryText({ all, twice }: { all: boolean; twice: boolean }): string {
  const usual = all
    ? t('A new run takes over what succeeded, and does the rest once more by the same version.')
    : t(
        'A new run takes over what succeeded before this action, and does it and all after it once more by the same version.',
      );
  if (!twice) return usual;
  return t(
    'It is not known whether what failed already had its effect. Look at the product first: retried, it may happen a second time.\n\n{usual}',
    { usual },
  );
}
