import type { EventSource } from '@airdeck/contracts/sources/schema';
import { IconCircleCheck, IconCircleDashed, IconMoon } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import type { StatusLook } from '../status-table.ts';

export type SourceState = 'waiting' | 'receiving' | 'quiet';

/** Waiting for its first event, receiving, or silent for a day. */
export function sourceStateOf({
  last_event_at: last,
  events_24h: count,
}: Pick<EventSource, 'last_event_at' | 'events_24h'>): SourceState {
  if (last === null) return 'waiting';
  return count > 0 ? 'receiving' : 'quiet';
}

export const sourceStateLooks: Readonly<Record<SourceState, StatusLook>> = {
  waiting: { word: t('Waiting'), color: 'var(--air-attention)', icon: IconCircleDashed },
  receiving: { word: t('Receiving'), color: 'var(--air-success)', icon: IconCircleCheck },
  quiet: { word: t('Quiet'), color: 'var(--air-idle)', icon: IconMoon },
};
