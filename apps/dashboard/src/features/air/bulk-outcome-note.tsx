import type { CaseBulkResult } from '@airdeck/contracts/cases/schema';
import { Button, CloseButton } from '@mantine/core';
import { plural } from '../../language/plural.ts';
import { t, told } from '../../language/translate.ts';
import classes from './bulk.module.css';
import { type Bulk, refusedOf } from './use-bulk.ts';

const REFUSED_SHOWN = 5;

/** What a bulk action did, what it could not do and why, and the way back. */
export function BulkOutcomeNote({ bulk }: { bulk: Bulk }) {
  const { outcome } = bulk;
  if (outcome === undefined) return null;
  const { done, answer, undo } = outcome;
  const count = (kind: string) => answer.results.filter((result) => result.outcome === kind).length;
  const refused = refusedOf(answer);
  const left = answer.matched - answer.results.length;
  const parts = [
    done(count('changed')),
    ...(count('unchanged') === 0
      ? []
      : [plural(count('unchanged'), '{count} was so already', '{count} were so already')]),
    ...(refused.length === 0 ? [] : [refusedWords(refused.length)]),
    ...(left <= 0
      ? []
      : [plural(left, '{count} more matches and was not touched', '{count} more match and were not touched')]),
  ];
  return (
    <div className={classes.outcome} role="status">
      <div>
        <p className={classes.outcomeTitle}>{parts.join(' · ')}</p>
        <Refused refused={refused} />
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

/** The same inside a dialog that stays open: what was refused is chosen still. */
export function RefusedNote({ bulk: { outcome } }: { bulk: Bulk }) {
  const refused = outcome === undefined ? [] : refusedOf(outcome.answer);
  if (refused.length === 0) return null;
  return (
    <div className={classes.refused} role="alert">
      <p className={classes.outcomeTitle}>{refusedWords(refused.length)}</p>
      <Refused refused={refused} />
    </div>
  );
}

function Refused({ refused }: { refused: readonly CaseBulkResult[] }) {
  if (refused.length === 0) return null;
  return (
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
  );
}

function refusedWords(count: number): string {
  return plural(count, '{count} refused', '{count} refused##several');
}
