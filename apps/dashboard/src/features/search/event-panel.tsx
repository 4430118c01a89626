import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { ActionIcon, Tabs } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { singleKeysOn } from '../../lib/single-keys.ts';
import { searchQueries } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { useReader } from '../../ui/reader.ts';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { EventFacts } from './event-facts.tsx';
import { EventFields } from './event-fields.tsx';
import classes from './event-panel.module.css';
import { eventTime, exactTime } from './event-row.tsx';
import { useSearchActions } from './search-actions.ts';

type Props = {
  id: string;
  /** The event, when the list has it. */
  listed: FoundEvent | undefined;
  opened: boolean;
  onClose: () => void;
  /** The neighbours above and below in the list; undefined at its ends. */
  onAbove: (() => void) | undefined;
  onBelow: (() => void) | undefined;
};

const parts = ['fields', 'raw', 'json'] as const;
const labels = { fields: t('Fields'), raw: t('Raw'), json: 'JSON' } as const;

/** One event in full, beside the list: `j` and `k` go on to its neighbours. */
export function EventPanel({ id, listed, opened, onClose, onAbove, onBelow }: Props) {
  const asked = useQuery({ ...searchQueries.event(useTenantApi(), id), enabled: opened && listed === undefined });
  const { pinned, togglePin, sort } = useSearchActions();
  const [above, below] =
    sort === 'newest' ? [t('Newer event (k)'), t('Older event (j)')] : [t('Older event (k)'), t('Newer event (j)')];
  const reader = useReader();
  const event = listed ?? asked.data;
  const bar = useRef<HTMLSpanElement>(null);
  useNeighbourKeys(bar, opened, onAbove, onBelow);
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        <span ref={bar} className={classes.bar}>
          <span className="air-figures" title={event === undefined ? undefined : exactTime(event.time, reader)}>
            {event === undefined ? t('Event') : t('Event of {time}', { time: eventTime(event.time, reader) })}
          </span>
          <span className={classes.steps}>
            {event === undefined ? null : (
              <ActionIcon
                size={24}
                aria-label={t('Pin above the list')}
                title={pinned.has(event.id) ? t('Unpin') : t('Pin above the list')}
                aria-pressed={pinned.has(event.id)}
                onClick={() => togglePin(event)}
              >
                {pinned.has(event.id) ? <IconPinFilled size={16} /> : <IconPin size={16} />}
              </ActionIcon>
            )}
            <ActionIcon size={24} aria-label={above} disabled={onAbove === undefined} onClick={onAbove}>
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon size={24} aria-label={below} disabled={onBelow === undefined} onClick={onBelow}>
              <IconArrowDown size={16} />
            </ActionIcon>
          </span>
        </span>
      }
    >
      {event !== undefined ? (
        <EventDetail key={event.id} event={event} />
      ) : asked.isError ? (
        <ErrorState error={asked.error} onRetry={() => void asked.refetch()} retrying={asked.isFetching} />
      ) : (
        <Loading label={t('Loading event')}>
          <TextSkeleton lines={12} />
        </Loading>
      )}
    </SidePanel>
  );
}

function EventDetail({ event }: { event: FoundEvent }) {
  const [part, setPart] = useState<(typeof parts)[number]>('fields');
  const reader = useReader();
  const time = eventTime(event.time, reader);
  return (
    <>
      <div className={classes.message}>
        <p>{event.message === '' ? t('This event has no message.') : event.message}</p>
        {event.message === '' ? null : <CopyButton value={event.message} label={t('Copy message')} />}
      </div>
      <EventFacts event={event} />
      <Tabs
        value={part}
        keepMounted={false}
        onChange={(value) => setPart(parts.find((each) => each === value) ?? 'fields')}
      >
        <Tabs.List>
          {parts.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="fields" pt="sm">
          <EventFields event={event} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="sm">
          <div className={classes.corner}>
            <CopyButton value={event.raw} label={t('Copy raw line')} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className={classes.raw} aria-label={t('Raw line of event of {time}', { time })} tabIndex={0}>
            {event.raw === '' ? t('No raw line came with this event.') : event.raw}
          </section>
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="sm">
          <JsonTree value={event} label={t('JSON of event of {time}', { time })} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** From anywhere in the panel but a field or menu; what stands over it keeps its keys. */
function useNeighbourKeys(
  bar: RefObject<HTMLElement | null>,
  opened: boolean,
  onAbove: Props['onAbove'],
  onBelow: Props['onBelow'],
): void {
  const step = useEffectEvent((key: string) => (key === 'j' ? onBelow : onAbove)?.());
  useEffect(() => {
    if (!opened) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (!singleKeysOn() || target.closest('input, textarea, select, [role="menu"]') !== null) return;
      const uppermost =
        target.closest('[role="dialog"]') ?? [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
      if (uppermost?.contains(bar.current) === false) return;
      event.preventDefault();
      step(event.key);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [bar, opened]);
}
