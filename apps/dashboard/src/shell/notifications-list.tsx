import type { Notification } from '@airdeck/contracts/notifications/schema';
import { momentText } from '@airdeck/domain/moment-text';
import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconCheck, IconSettings } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { plural } from '../language/plural.ts';
import { t } from '../language/translate.ts';
import { markRead, notificationList } from '../queries/notification-list.ts';
import { useTenantApi } from '../session/app-context.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { type Reader, useReader } from '../ui/reader.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Loading } from '../ui/skeletons.tsx';
import { TextSkeleton } from '../ui/text-skeleton.tsx';
import classes from './notifications.module.css';

/**
 * What there is to know, newest first: opens what it is about, marks read one by one, or all there was when the newest one
 * shown came. Arrow keys walk it.
 */
export function NotificationsList({ onLeave }: { onLeave: () => void }) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(notificationList(tenantApi, queryClient));
  const read = useMutation(markRead(tenantApi, queryClient));
  const notifications = list.data?.pages.flatMap((page) => page.notifications);
  const unread = list.data?.pages[0]?.unread ?? 0;
  const newest = notifications?.[0];
  const scroll = useRef<HTMLDivElement>(null);
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <span className={classes.heading}>
          {unread === 0 ? t('Notifications') : t('Notifications · {unread} unread', { unread })}
        </span>
        {unread === 0 || newest === undefined ? null : (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={({ currentTarget }) => {
              stay(currentTarget);
              read.mutate({ up_to: newest.id });
            }}
            loading={read.isPending}
          >
            {plural(unread, 'Mark {count} read', 'Mark all {count} read')}
          </Button>
        )}
      </div>
      {notifications !== undefined ? (
        <div className={classes.scroll} ref={scroll}>
          <Items notifications={notifications} onRead={(id) => read.mutate({ ids: [id] })} onLeave={onLeave} />
          {list.hasNextPage ? (
            <div className={classes.more}>
              <Text size="xs" c="dimmed" role="status">
                {plural(
                  notifications.length,
                  '{count} notification, earlier ones not shown',
                  '{count} notifications, earlier ones not shown',
                )}
              </Text>
              <Button
                variant="default"
                size="compact-sm"
                loading={list.isFetchingNextPage}
                onClick={({ currentTarget }) => {
                  stay(currentTarget, scroll.current?.querySelector<HTMLElement>('li:last-of-type'));
                  void list.fetchNextPage();
                }}
              >
                {list.isFetchNextPageError ? t('More could not be loaded. Try again') : t('Load more')}
              </Button>
            </div>
          ) : null}
        </div>
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <div className={classes.loading}>
          <Loading label={t('Loading notifications')}>
            <TextSkeleton lines={6} />
          </Loading>
        </div>
      )}
      <div className={classes.foot}>
        <Link to="/settings/notifications" className={classes.settings} onClick={onLeave}>
          <IconSettings size={14} aria-hidden />
          {t('What to be told about')}
        </Link>
      </div>
    </div>
  );
}

type ItemsProps = {
  notifications: readonly Notification[];
  onRead: (id: string) => void;
  onLeave: () => void;
};

function Items({ notifications, onRead, onLeave }: ItemsProps) {
  const list = useRef<HTMLUListElement>(null);
  if (notifications.length === 0) {
    return (
      <EmptyState title={t('Nothing to tell')}>
        {t('Cases, questions of playbooks and changes to your account show here, as you choose in the settings.')}
      </EmptyState>
    );
  }
  return (
    <ul className={classes.items} ref={list} onKeyDown={(event) => walk(event, list.current)}>
      {notifications.map((each) => (
        <Item key={each.id} notification={each} onRead={onRead} onLeave={onLeave} />
      ))}
    </ul>
  );
}

type ItemProps = Omit<ItemsProps, 'notifications'> & { notification: Notification };

function Item({ notification, onRead, onLeave }: ItemProps) {
  const { id, title, link, answers = [], created_at, read_at } = notification;
  const text = inOwnZone(notification, useReader());
  const router = useRouter();
  const follow = (to: string | null) => (event: MouseEvent) => {
    if (read_at === null) onRead(id);
    // With a modifier the browser opens it in another tab by itself.
    if (to === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onLeave();
    router.history.push(safeRedirect(to));
  };
  const words = (
    <>
      <span className={classes.title}>{title}</span>
      <span className={classes.text}>{text}</span>
    </>
  );
  return (
    <li className={classes.item} data-unread={read_at === null || undefined}>
      <span className={classes.dot} role="img" aria-label={read_at === null ? t('Unread') : t('Read')} />
      <div className={classes.words}>
        {link === null ? (
          words
        ) : (
          <a href={safeRedirect(link)} className={classes.link} onClick={follow(link)} data-item>
            {words}
          </a>
        )}
        {answers.length === 0 ? null : (
          <div className={classes.answers}>
            {answers.map((answer) => (
              <a
                key={answer.label}
                href={safeRedirect(answer.link)}
                className={classes.answer}
                data-danger={answer.danger}
                aria-label={t('Answer {label}: {title}', { label: answer.label, title })}
                onClick={follow(answer.link)}
              >
                {answer.label}
              </a>
            ))}
          </div>
        )}
        <RelativeTime time={created_at} className={classes.time ?? ''} />
      </div>
      {read_at === null ? (
        <ActionIcon
          size={28}
          aria-label={t('Mark as read: {title}', { title })}
          title={t('Mark as read')}
          onClick={({ currentTarget }) => {
            stay(currentTarget);
            onRead(id);
          }}
        >
          <IconCheck size={16} />
        </ActionIcon>
      ) : null}
    </li>
  );
}

/** The server names a zone with each time; here all times are of the one the reader sees everywhere. */
function inOwnZone({ text, times = [] }: Notification, { locale, timeZone }: Reader): string {
  const told = ['UTC', ...(timeZone === undefined ? [] : [timeZone])];
  return times
    .map((time) => new Date(time))
    .flatMap((time) => told.map((zone) => ({ time, zone })))
    .reduce(
      (so, { time, zone }) =>
        so.replaceAll(
          `${momentText(time, { locale, timeZone: zone })} ${zone}`,
          momentText(time, { locale, timeZone }),
        ),
      text,
    );
}

/**
 * A button that goes once it is pressed leaves the focus to the link of its entry, one below the list to the last entry's, or
 * to what holds the list: Esc still closes that.
 */
function stay(button: HTMLElement, entry: HTMLElement | null | undefined = button.closest('li')): void {
  const link = entry?.querySelector<HTMLElement>('[data-item]');
  (link ?? button.closest<HTMLElement>('[role="dialog"]'))?.focus();
}

/** Up and down between the entries; the ends hold. */
function walk(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || list === null) return;
  const links = [...list.querySelectorAll<HTMLElement>('[data-item]')];
  const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement) === true);
  event.preventDefault();
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
}
