import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { canTransitionCase } from '@airdeck/domain/case-transitions';
import { IconCircleCheck, IconCircleDot, IconUserCheck } from '@tabler/icons-react';
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import classes from './case.module.css';
import type { CaseVariant } from './case-header.tsx';
import { CaseMore } from './case-more.tsx';
import type { CaseUpdater } from './use-case-update.ts';

const CloseDialog = lazy(() => import('./close-dialog.tsx').then((module) => ({ default: module.CloseDialog })));

type Props = { of: CaseDetail; updater: CaseUpdater; variant: CaseVariant };

/** What may follow the present status; the next step of the usual order is the primary one. */
export function CaseActions({ of, updater, variant }: Props) {
  const { reason } = useAccess('airWork');
  const [closing, setClosing] = useState(false);
  const { alert_status: status, reference } = of;
  const { pending, update } = updater;
  const busy = pending?.alert_status;
  const blocked = reason ?? (pending === undefined ? undefined : t('A change is being saved.'));
  const row = useRef<HTMLDivElement>(null);
  // With a new status the button that was pressed for it goes, and the focus with it.
  const pressedAt = useRef<typeof status>(undefined);
  const press = () => {
    pressedAt.current = status;
  };
  useLayoutEffect(() => {
    if (closing || pressedAt.current === undefined || pressedAt.current === status) return;
    pressedAt.current = undefined;
    if (document.activeElement === document.body) row.current?.focus({ preventScroll: true });
  }, [status, closing]);
  const open = status === 'closed' ? t('Reopen') : t('Set back to open');
  return (
    <div ref={row} className={classes.actions} data-variant={variant} tabIndex={-1} onClickCapture={press}>
      {canTransitionCase(status, 'open') ? (
        <GuardedButton
          variant="default"
          reason={busy === 'open' ? undefined : blocked}
          loading={busy === 'open'}
          leftSection={<IconCircleDot size={16} aria-hidden />}
          onClick={() => void update({ alert_status: 'open' }, t('{reference} is open again', { reference }))}
        >
          {open}
        </GuardedButton>
      ) : null}
      {canTransitionCase(status, 'closed') ? (
        <GuardedButton
          variant={status === 'open' ? 'default' : 'filled'}
          reason={busy === 'closed' ? undefined : blocked}
          leftSection={<IconCircleCheck size={16} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setClosing(true)}
        >
          {t('Close…##case')}
        </GuardedButton>
      ) : null}
      {canTransitionCase(status, 'acknowledged') ? (
        <GuardedButton
          reason={busy === 'acknowledged' ? undefined : blocked}
          loading={busy === 'acknowledged'}
          leftSection={<IconUserCheck size={16} aria-hidden />}
          onClick={() => void update({ alert_status: 'acknowledged' }, t('{reference} acknowledged', { reference }))}
        >
          {t('Acknowledge')}
        </GuardedButton>
      ) : null}
      <CaseMore of={of} />
      {closing ? (
        <Suspense fallback={null}>
          <CloseDialog of={of} updater={updater} onClose={() => setClosing(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
