import type { CaseEvent } from '@airdeck/contracts/cases/schema';
import { t } from '../../../language/translate.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { useReader } from '../../../ui/reader.ts';
import { eventTime } from './event-time.ts';
import classes from './matched-events.module.css';

/** One event in full: common columns, every field, and the line as it arrived. */
export function EventDetail({ event }: { event: CaseEvent }) {
  const time = eventTime(event.time, useReader());
  return (
    <div className={classes.event}>
      <KeyFacts
        facts={[
          { label: t('Type'), value: [event.integration, event.event_type].filter((part) => part !== '').join(' · ') },
          { label: t('Severity'), value: event.severity },
          { label: t('Source address'), value: event.src_ip },
          { label: t('Host'), value: event.host },
          { label: t('User'), value: event.user },
        ].filter(({ value }) => value !== '')}
      />
      <div>
        <h3 className={classes.heading}>{t('Fields')}</h3>
        <JsonTree value={event.fields} label={t('Fields of event of {time}', { time })} />
      </div>
      <div>
        <h3 className={classes.heading}>
          {t('Raw line')} <CopyButton value={event.raw} label={t('Copy raw line')} />
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={classes.raw} aria-label={t('Raw line of event of {time}', { time })} tabIndex={0}>
          {event.raw}
        </section>
      </div>
    </div>
  );
}
