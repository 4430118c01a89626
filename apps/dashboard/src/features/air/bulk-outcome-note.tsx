import { Button, CloseButton } from '@mantine/core';
import { plural } from '../../language/plural.ts';
import { t, told } from '../../language/translate.ts';
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
    done(count('changed')),
    ...(count('unchanged') === 0
      ? []
      : [plural(count('unchanged'), '{count} was so already', '{count} were so already')]),
    ...(refused.length === 0 ? [] : [plural(refused.length, '{count} refused', '{count} refused##several')]),
    ...(left <= 0
      ? []
      : [plural(left, '{count} more matches and was not touched', '{count} more match and were not touched')]),
  ];
  return (
    <div className={classes.outcome} role="status">
      <div>
        <p className={classes.outcomeTitle}>{parts.join(' · ')}</p>
        {refused.length === 0 ? null : (
          <ul>
            {refused.slice(0, REFUSED_SHOWN).map(({ id, reference, message, reason, values }) => (
              <li key={id}>
                {reference ?? t('A case')}: {message === null ? null : told({ message, reason, values })}
              </li>
            ))}
            {refused.length > REFUSED_SHOWN ? (
              <li>{t('and {count} more', { count: refused.length - REFUSED_SHOWN })}</li>
            ) : null}
          </ul>
        )}
      </div>
      {undo.length === 0 ? null : (
        <Button variant="default" loading={bulk.pending} onClick={() => void bulk.undo()}>
          {t('Undo')}
        </Button>
      )}
      <CloseButton aria-label={t('Dismiss')} onClick={bulk.dismiss} />
    </div>
  );
}
