import type { Case } from '@airdeck/contracts/cases/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { IconAlertTriangle, IconClock, IconClockPause } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { useNow } from '../../ui/use-now.ts';
import classes from './case-list.module.css';
import { type SlaState, slaState } from './sla-state.ts';

type Props = { of: Pick<Case, 'sla' | 'time_opened' | 'time_acknowledged' | 'time_closed'>; whole?: boolean };

/** What is due next, in how long; `whole` says it in a sentence. */
export function SlaClock({ of, whole = false }: Props) {
  const now = useNow();
  const reader = useReader();
  const state = slaState(of, now);
  const text = slaText(state, { now, locale: reader.locale, whole });
  if (text === undefined) {
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  }
  const Icon = state.kind === 'late' || state.kind === 'missed' ? IconAlertTriangle : (icons[state.kind] ?? IconClock);
  return (
    <span
      className={classes.clock}
      data-state={state.kind}
      title={
        'at' in state ? dateFormat(reader, { dateStyle: 'medium', timeStyle: 'short' }).format(state.at) : undefined
      }
    >
      <Icon size={14} aria-hidden />
      {text}
    </span>
  );
}

const icons: Partial<Record<SlaState['kind'], typeof IconClock>> = { waiting: IconClockPause };

function slaText(
  state: SlaState,
  { now, locale, whole }: { now: Date; locale: string; whole: boolean },
): string | undefined {
  switch (state.kind) {
    case 'none':
      return undefined;
    case 'met':
      return whole ? t('Everything in time') : t('In time');
    case 'missed':
      return whole ? t('A time was missed') : t('Missed');
    case 'waiting':
      return whole ? t('Stands still: waits on the customer') : t('Waiting');
    case 'running':
    case 'soon':
    case 'late': {
      const length = formatDuration(Math.round(Math.abs(state.at.getTime() - now.getTime()) / 60_000) * 60, locale);
      const isResponse = state.due === 'respond';
      if (state.kind === 'late') {
        if (!whole) return t('{length} late', { length });
        return isResponse ? t('Response {length} late', { length }) : t('Closing {length} late', { length });
      }
      if (whole) return isResponse ? t('Respond within {length}', { length }) : t('Close within {length}', { length });
      return isResponse ? t('Respond in {length}', { length }) : t('Close in {length}', { length });
    }
  }
}
