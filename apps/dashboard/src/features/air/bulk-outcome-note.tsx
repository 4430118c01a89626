import { Button, CloseButton } from '@mantine/core';
import classes from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

const REFUSED_SHOWN = 5;

/** What a bulk action did, what it could not do and why, and the way back. */
export function BulkOutcomeNote({ bulk }: { bulk: Bulk }) {
  const { outcome } = bulk;
  if (outcome === undefined) return null;
  const { done, answer, undo } = outcome;
  const count = (kind: string) => answer.results.filter((result) => result.outcome === kind).length;
  const refused = answer.results.filter((result) => result.outcome === 'refused');
  const left = answer.matched - answer.results.length;
  const parts = [
    `${cases(count('changed'))} ${done}`,
    ...(count('unchanged') === 0
      ? []
      : [`${count('unchanged')} ${count('unchanged') === 1 ? 'was' : 'were'} so already`]),
    ...(refused.length === 0 ? [] : [`${refused.length} refused`]),
    ...(left <= 0 ? [] : [`${left} more match and were not touched`]),
  ];
  return (
    <div className={classes.outcome} role="status">
      <div>
        <p className={classes.outcomeTitle}>{parts.join(' · ')}</p>
        {refused.length === 0 ? null : (
          <ul>
            {refused.slice(0, REFUSED_SHOWN).map(({ id, reference, message }) => (
              <li key={id}>
                {reference ?? 'A case'}: {message}
              </li>
            ))}
            {refused.length > REFUSED_SHOWN ? <li>and {refused.length - REFUSED_SHOWN} more</li> : null}
          </ul>
        )}
      </div>
      {undo.length === 0 ? null : (
        <Button variant="default" loading={bulk.pending} onClick={() => void bulk.undo()}>
          Undo
        </Button>
      )}
      <CloseButton aria-label="Dismiss" onClick={bulk.dismiss} />
    </div>
  );
}

export function cases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
