import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { clockTolerance } from '@airdeck/contracts/sources/clock-tolerance';
import { formatDuration } from '@airdeck/domain/duration';
import { IconClockExclamation, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CaseStatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useReader } from '../../ui/reader.ts';
import classes from './event-panel.module.css';
import { eventTime, exactTime } from './event-row.tsx';
import { vendorLinkOf } from './vendor-link.ts';

/** What an event does not say of itself: when it came, where it is shown as well, and which cases it belongs to. */
export function EventFacts({ event }: { event: FoundEvent }) {
  const reader = useReader();
  const link = vendorLinkOf(event);
  return (
    <dl className={classes.facts}>
      <dt>{t('Received')}</dt>
      <dd>
        <time dateTime={event.received_at} title={exactTime(event.received_at, reader)}>
          {eventTime(event.received_at, reader)}
        </time>
        <ClockNote event={event} />
      </dd>
      {link === undefined ? null : (
        <>
          <dt>{t('At the vendor')}</dt>
          <dd>
            <a href={link.href} target="_blank" rel="noreferrer">
              {link.host} <IconExternalLink size={12} aria-label={t('(opens another tab)')} />
            </a>
          </dd>
        </>
      )}
      {event.source_id === null ? null : <Cases eventId={event.id} />}
    </dl>
  );
}

/** Where its own time is far from when it came, which of the two is right is for people to find out. */
function ClockNote({ event }: { event: FoundEvent }) {
  const { locale } = useReader();
  const offsetMs = Date.parse(event.time) - Date.parse(event.received_at);
  if (offsetMs <= clockTolerance.aheadMs && offsetMs >= -clockTolerance.behindMs) return null;
  const duration = formatDuration(Math.abs(offsetMs) / 1000, locale);
  return (
    <span className={classes.clock}>
      <IconClockExclamation size={14} aria-hidden />{' '}
      {offsetMs > 0
        ? t('its own time is {duration} later', { duration })
        : t('its own time is {duration} earlier', { duration })}
    </span>
  );
}

/** Nothing is shown while nobody knows: most events belong to none. */
function Cases({ eventId }: { eventId: string }) {
  const { data: cases = [] } = useQuery(caseQueries.ofEvent(useTenantApi(), eventId));
  if (cases.length === 0) return null;
  return (
    <>
      <dt>{cases.length === 1 ? t('Case') : t('Cases')}</dt>
      <dd>
        <ul className={classes.cases}>
          {cases.map(({ id, reference, alert_name: name, alert_status: status }) => (
            <li key={id}>
              <Link to="/air/case-management/$id" params={{ id }}>
                {reference} {name}
              </Link>
              <CaseStatusBadge status={status} variant="plain" />
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}
