import type { EventSource } from '@airdeck/contracts/sources/schema';
import { SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconKey, IconLoader2, IconMoon } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { Count } from '../../ui/count.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TOKEN_PLACE } from '../source-command.ts';
import classes from './source-connect.module.css';
import { guidesFor } from './source-guides.ts';
import { sourceStateOf } from './source-state.ts';

type Props = {
  source: EventSource;
  /** While it can be shown: right after it was made. */
  token: string | undefined;
};

/** How to connect a sender to a source, and whether its events arrive. */
export function SourceConnect({ source, token }: Props) {
  const guides = guidesFor(source, token ?? TOKEN_PLACE);
  const [chosen, setChosen] = useState(guides[0]?.id);
  const guide = guides.find(({ id }) => id === chosen) ?? guides[0];
  return (
    <div className={classes.connect}>
      <Arrival source={source} />
      {token === undefined ? (
        <p className={classes.note}>
          <IconKey size={16} aria-hidden />
          <span>
            The token ends in <span className="air-mono">{source.token_hint}</span> and was shown when it was made. Put
            it where <span className="air-mono">{TOKEN_PLACE}</span> stands below.
          </span>
        </p>
      ) : (
        <CopyBlock title="Token, shown this one time" label="Copy the token" text={token} />
      )}
      {guide?.pieces.some(({ text }) => text === source.url) === true ? null : (
        <CopyBlock title="Address" label="Copy the address" text={source.url} />
      )}
      {guides.length < 2 ? null : (
        <SegmentedControl
          aria-label="Program that sends"
          className={classes.programs ?? ''}
          value={guide?.id ?? ''}
          data={guides.map(({ id, label }) => ({ value: id, label }))}
          onChange={(value) => setChosen(guides.find(({ id }) => id === value)?.id)}
        />
      )}
      {guide === undefined ? null : (
        <section aria-label={`With ${guide.label}`} className={classes.guide}>
          <ol className={classes.steps} data-single={guide.steps.length === 1 || undefined}>
            {guide.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {guide.pieces.map(({ title, text }) => (
            <CopyBlock key={title} title={title} label={`Copy: ${title}`} text={text} />
          ))}
        </section>
      )}
    </div>
  );
}

/** Waiting, then green by itself: whoever shows it asks for the source again and again. */
function Arrival({ source }: { source: EventSource }) {
  const { last_event_at: last, events_24h: count } = source;
  const state = sourceStateOf(source);
  return (
    <div className={classes.arrival} role="status" data-state={state}>
      {last === null ? (
        <>
          <IconLoader2 size={18} className={classes.turning} aria-hidden />
          <span>Waiting for the first event…</span>
        </>
      ) : (
        <>
          {state === 'quiet' ? <IconMoon size={18} aria-hidden /> : <IconCircleCheck size={18} aria-hidden />}
          <span>
            {state === 'quiet' ? 'Quiet: the last event came ' : 'Events arrive: the last one '}
            <RelativeTime time={last} />, <Count value={count} /> in 24 h.
          </span>
        </>
      )}
    </div>
  );
}
