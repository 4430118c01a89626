import type { EventSource } from '@airdeck/contracts/sources/schema';
import { SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconKey, IconLoader2, IconMoon } from '@tabler/icons-react';
import { useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
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
            {tx(
              'The token ends in {token_hint} and was shown when it was made. Put it where {TOKEN_PLACE} stands below.',
              {
                token_hint: <span className="air-mono">{source.token_hint}</span>,
                TOKEN_PLACE: <span className="air-mono">{TOKEN_PLACE}</span>,
              },
            )}
          </span>
        </p>
      ) : (
        <CopyBlock title={t('Token, shown this one time')} label={t('Copy the token')} text={token} />
      )}
      {guide?.pieces.some(({ text }) => text === source.url) === true ? null : (
        <CopyBlock title={t('Address')} label={t('Copy the address')} text={source.url} />
      )}
      {guides.length < 2 ? null : (
        <SegmentedControl
          aria-label={t('Program that sends')}
          className={classes.programs ?? ''}
          value={guide?.id ?? ''}
          data={guides.map(({ id, label }) => ({ value: id, label }))}
          onChange={(value) => setChosen(guides.find(({ id }) => id === value)?.id)}
        />
      )}
      {guide === undefined ? null : (
        <section aria-label={t('With {label}', { label: guide.label })} className={classes.guide}>
          <ol className={classes.steps} data-single={guide.steps.length === 1 || undefined}>
            {guide.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {guide.pieces.map(({ title, text }) => (
            <CopyBlock key={title} title={title} label={t('Copy: {title}', { title })} text={text} />
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
          <span>{t('Waiting for the first event…')}</span>
        </>
      ) : (
        <>
          {state === 'quiet' ? <IconMoon size={18} aria-hidden /> : <IconCircleCheck size={18} aria-hidden />}
          <span>
            {tx('{what}{time}, {count} in 24 h.', {
              what: state === 'quiet' ? t('Quiet: the last event came ') : t('Events arrive: the last one '),
              time: <RelativeTime time={last} />,
              count: <Count value={count} />,
            })}
          </span>
        </>
      )}
    </div>
  );
}
