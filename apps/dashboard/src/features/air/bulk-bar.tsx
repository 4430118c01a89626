import type { Case } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { CloseButton } from '@mantine/core';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import classes from './bulk.module.css';
import { useSelection } from './case-selection.tsx';
import { type Bulk, type BulkTarget, targetOf } from './use-bulk.ts';

const BulkDialog = lazy(() => import('./bulk-dialogs.tsx').then((module) => ({ default: module.BulkDialog })));

export type BulkDialogName = 'close' | 'assign' | 'tag' | 'playbook';

type Props = {
  bulk: Bulk;
  /** How many match the filters, and what they are, for choosing them all. */
  total: number;
  matching: NonNullable<BulkTarget['matching']>;
  /** The cases on the screen. */
  rows: readonly Case[];
};

/** What can be done to the chosen cases; it stays in sight while the list scrolls. */
export function BulkBar({ bulk, total, matching, rows }: Props) {
  const { ids, isAll, shown, choose, chooseAll, clear } = useSelection();
  const { reason } = useAccess('airWork');
  const [dialog, setDialog] = useState<{ name: BulkDialogName; target: BulkTarget }>();
  // Those of other pages are chosen as they were when they were shown.
  const seen = useRef(new Map<string, Case>());
  useEffect(() => {
    for (const row of rows) seen.current.set(row.id, row);
  }, [rows]);
  const isShown = ids.size > 0 || isAll;
  const wasShown = useRef(isShown);
  // It goes with the button that was pressed: the list has the focus then.
  useLayoutEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body) focusList();
    wasShown.current = isShown;
  }, [isShown]);
  if (!isShown) return null;
  const count = isAll ? Math.min(total, limits.casesBulkMax) : ids.size;
  const tooMany =
    ids.size > limits.casesBulkMax ? t('At most {count} cases at once.', { count: limits.casesBulkMax }) : undefined;
  const blocked = reason ?? tooMany ?? (bulk.pending ? t('A change is being saved.') : undefined);
  const targetNow = (): BulkTarget => (isAll ? { matching } : targetOf([...seen.current.values()], ids));
  const run: Bulk['run'] = async (target, ...given) => {
    const left = await bulk.run(target, ...given);
    if (left === undefined) clear();
    // What was refused stays chosen.
    else if (left !== target) choose(left.cases ?? []);
    return left;
  };
  const open = (name: BulkDialogName) => ({
    variant: 'default',
    reason: blocked,
    'aria-haspopup': 'dialog' as const,
    // As they are when it opens: what changes behind the dialog has not been seen.
    onClick: () => setDialog({ name, target: targetNow() }),
  });
  const areAllShown = shown.every((id) => ids.has(id));
  return (
    <section className={classes.bar} aria-label={t('Chosen cases')}>
      <span className={classes.count} aria-live="polite">
        {plural(count, '{count} case chosen', '{count} cases chosen')}
      </span>
      {!isAll && areAllShown && total > ids.size ? (
        <button type="button" className={classes.all} onClick={chooseAll}>
          {total > limits.casesBulkMax
            ? t('Choose the newest {count} of {total}', { count: limits.casesBulkMax, total })
            : t('Choose all {total}', { total })}
        </button>
      ) : null}
      <span className={classes.actions}>
        <GuardedButton
          variant="default"
          reason={blocked}
          onClick={() => void run(targetNow(), { change: { alert_status: 'acknowledged' } }, acknowledgedCases)}
        >
          {t('Acknowledge')}
        </GuardedButton>
        <GuardedButton {...open('assign')}>{t('Assign…')}</GuardedButton>
        <GuardedButton {...open('tag')}>{t('Tag…##verb')}</GuardedButton>
        <GuardedButton {...open('playbook')}>{t('Run playbook…')}</GuardedButton>
        <GuardedButton {...open('close')}>{t('Close…##case')}</GuardedButton>
        <CloseButton aria-label={t('Choose none')} onClick={clear} />
      </span>
      {dialog === undefined ? null : (
        <Suspense fallback={null}>
          <BulkDialog
            name={dialog.name}
            count={count}
            bulk={bulk}
            run={async (work, done) => {
              const target = await run(dialog.target, work, done, 'dialog');
              if (target !== undefined) setDialog((now) => now && { ...now, target });
              return target === undefined;
            }}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </section>
  );
}

function focusList(): void {
  document.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus({ preventScroll: true });
}

export function acknowledgedCases(count: number): string {
  return plural(count, '{count} case acknowledged', '{count} cases acknowledged');
}
