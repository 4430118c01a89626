import type { EventSource } from '@airdeck/contracts/sources/schema';
import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { firstEventCommand, sourceKindWords, TOKEN_PLACE } from '../../components/source-command.ts';
import { sourceQueries } from '../../queries/sources.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TextSkeleton } from '../../ui/skeletons.tsx';
import { Copied } from './allow-list-step.tsx';
import { NewSourceForm } from './new-source-form.tsx';
import { stepWords } from './set-up-steps.ts';
import classes from './set-up-wizard.module.css';
import type { StepProps } from './wizard-page.tsx';

const NEW = 'new';

type Created = { id: string; token: string };

/** A source to send to, and the wait for its first event. The list is asked again by itself. */
export function SourceStep({ data, onKeep, onNext, busy }: StepProps) {
  const sources = useQuery(sourceQueries.list(useTenantApi()));
  // The token is shown this once and kept nowhere.
  const [created, setCreated] = useState<Created>();
  const [choosing, setChoosing] = useState(data.source_id === undefined);
  const { title, purpose } = stepWords.source;
  const source = sources.data?.find(({ id }) => id === (created?.id ?? data.source_id));
  const arrived = source !== undefined && source.last_event_at !== null;
  // While a source is to be chosen, choosing it is the way on; after that, finishing is.
  const chooses = source === undefined || choosing;
  return (
    <Panel title={title}>
      <p className={classes.purpose}>{purpose}</p>
      {sources.data === undefined ? (
        sources.isError ? (
          <ErrorState error={sources.error} onRetry={() => void sources.refetch()} retrying={sources.isFetching} />
        ) : (
          <Loading label="Loading event sources">
            <TextSkeleton lines={4} />
          </Loading>
        )
      ) : chooses ? (
        <ChooseSource
          sources={sources.data}
          onChoose={(id) => {
            setCreated(undefined);
            setChoosing(false);
            onKeep({ source_id: id });
          }}
          onCreated={(made) => {
            setCreated(made);
            setChoosing(false);
            onKeep({ source_id: made.id });
          }}
        />
      ) : (
        <ChosenSource
          source={source}
          token={created?.id === source.id ? created.token : undefined}
          onOther={() => setChoosing(true)}
        />
      )}
      <div className={classes.foot}>
        <Button variant={chooses ? 'default' : 'filled'} onClick={() => onNext()} loading={busy}>
          {arrived ? 'Finish' : 'Finish without an event'}
        </Button>
      </div>
    </Panel>
  );
}

type ChooseProps = {
  sources: readonly EventSource[];
  onChoose: (id: string) => void;
  onCreated: (made: Created) => void;
};

function ChooseSource({ sources, onChoose, onCreated }: ChooseProps) {
  const [chosen, setChosen] = useState(NEW);
  return (
    <div className={classes.choose}>
      {sources.length === 0 ? null : (
        <NativeSelect
          label="Event source"
          value={chosen}
          data={[
            { value: NEW, label: 'A new one' },
            ...sources.map(({ id, name, kind }) => ({ value: id, label: `${name} (${sourceKindWords[kind].label})` })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {chosen === NEW ? (
        <NewSourceForm onCreated={onCreated} />
      ) : (
        <Button className={classes.own ?? ''} onClick={() => onChoose(chosen)}>
          Use this source
        </Button>
      )}
    </div>
  );
}

type ChosenProps = { source: EventSource; token: string | undefined; onOther: () => void };

function ChosenSource({ source, token, onOther }: ChosenProps) {
  return (
    <>
      <Arrival source={source} />
      <div className={classes.sourceHead}>
        <span>
          <strong>{source.name}</strong>, {sourceKindWords[source.kind].label}
        </span>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onOther}>
          Another source
        </Button>
      </div>
      <Copied title="Where to send" label="Copy the address" text={source.url} />
      {token === undefined ? (
        <p className={classes.help}>
          Its token ends in <span className="air-mono">{source.token_hint}</span> and was shown when the source was
          made. Lost it? Make another source.
        </p>
      ) : (
        <Copied title="Token, shown this one time" label="Copy the token" text={token} />
      )}
      <Copied
        title="Try it: sends one event"
        label="Copy the command"
        text={firstEventCommand(source, token ?? TOKEN_PLACE)}
      />
    </>
  );
}

function Arrival({ source: { last_event_at: last, events_24h: count } }: { source: EventSource }) {
  return (
    <div className={classes.arrival} role="status" data-good={last !== null || undefined}>
      {last === null ? (
        <>
          <IconLoader2 size={18} className={classes.turning} aria-hidden />
          <span>Waiting for the first event…</span>
        </>
      ) : (
        <>
          <IconCircleCheck size={18} aria-hidden />
          <span>
            Events arrive: the last one <RelativeTime time={last} />, {count} in 24 h.
          </span>
        </>
      )}
    </div>
  );
}
