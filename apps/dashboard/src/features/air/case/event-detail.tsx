import type { CaseEvent } from '@airdeck/contracts/cases/schema';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { useReader } from '../../../ui/reader.ts';
import { eventTime } from './event-time.ts';
import classes from './matched-events.module.css';

/** One event in full: common columns, every field, and the line as it arrived. */
export function EventDetail({ event }: { event: CaseEvent }) {
  const name = `event of ${eventTime(event.time, useReader())}`;
  return (
    <div className={classes.event}>
      <KeyFacts
        facts={[
          { label: 'Type', value: [event.integration, event.event_type].filter((part) => part !== '').join(' · ') },
          { label: 'Severity', value: event.severity },
          { label: 'Source address', value: event.src_ip },
          { label: 'Host', value: event.host },
          { label: 'User', value: event.user },
        ].filter(({ value }) => value !== '')}
      />
      <div>
        <h3 className={classes.heading}>Fields</h3>
        <JsonTree value={event.fields} label={`Fields of ${name}`} />
      </div>
      <div>
        <h3 className={classes.heading}>
          Raw line <CopyButton value={event.raw} label="Copy raw line" />
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={classes.raw} aria-label={`Raw line of ${name}`} tabIndex={0}>
          {event.raw}
        </section>
      </div>
    </div>
  );
}
