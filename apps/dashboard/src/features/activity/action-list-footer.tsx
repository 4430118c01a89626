import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Props = {
  shown: number;
  /** When the list was answered, milliseconds since the epoch. */
  updatedAt: number;
  hasMore: boolean;
  loading: boolean;
  failed: boolean;
  onMore: () => void;
};

/** Pixels below the screen at which the next page is asked for, so that scrolling meets no end. */
const AHEAD = '600px';

/** Count and freshness; loads the next page when it comes near, or by its button. */
export function ActionListFooter({ shown, updatedAt, hasMore, loading, failed, onMore }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const idle = hasMore && !loading && !failed;
  const more = useEffectEvent(onMore);
  // biome-ignore lint/correctness/useExhaustiveDependencies: watched anew after each page, as the end may still be in sight
  useEffect(() => {
    if (!idle || root.current === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) more();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [idle, shown]);
  return (
    <>
      <span ref={root}>
        {tx('{actions}{what} · updated {time}', {
          actions: plural(shown, '{count} action', '{count} actions'),
          what: hasMore ? t(' so far') : '',
          time: <RelativeTime time={new Date(updatedAt).toISOString()} />,
        })}
      </span>
      {hasMore ? (
        <Button size="xs" variant="subtle" color="gray" loading={loading} onClick={onMore}>
          {failed ? t('More could not be loaded. Try again') : t('Load more')}
        </Button>
      ) : null}
    </>
  );
}
