import type { EventSource } from '@airdeck/contracts/sources/schema';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourceKindWords } from '../../components/source-command.ts';
import { NewSourceForm } from '../../components/source-connect/new-source-form.tsx';
import { SourceConnect } from '../../components/source-connect/source-connect.tsx';
import { t } from '../../language/translate.ts';
import { sourceQueries } from '../../queries/sources.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
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
  // Left while it is being made, a token would never be seen.
  const [making, setMaking] = useState(false);
  const { title, purpose } = stepWords('source');
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
          <Loading label={t('Loading event sources')}>
            <TextSkeleton lines={4} />
          </Loading>
        )
      ) : chooses ? (
        <ChooseSource
          sources={sources.data}
          making={making}
          onMaking={setMaking}
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
        <Button variant={chooses ? 'default' : 'filled'} onClick={() => onNext()} loading={busy} disabled={making}>
          {arrived ? t('Finish') : t('Finish without an event')}
        </Button>
      </div>
    </Panel>
  );
}

type ChooseProps = {
  sources: readonly EventSource[];
  making: boolean;
  onMaking: (making: boolean) => void;
  onChoose: (id: string) => void;
  onCreated: (made: Created) => void;
};

function ChooseSource({ sources, making, onMaking, onChoose, onCreated }: ChooseProps) {
  const [chosen, setChosen] = useState(NEW);
  return (
    <div className={classes.choose}>
      {sources.length === 0 ? null : (
        <NativeSelect
          label={t('Event source')}
          value={chosen}
          disabled={making}
          data={[
            { value: NEW, label: t('A new one') },
            ...sources.map(({ id, name, kind }) => ({ value: id, label: `${name} (${sourceKindWords[kind].label})` })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {chosen === NEW ? (
        <NewSourceForm onCreated={onCreated} onBusy={onMaking} />
      ) : (
        <Button className={classes.own ?? ''} onClick={() => onChoose(chosen)}>
          {t('Use this source')}
        </Button>
      )}
    </div>
  );
}

type ChosenProps = { source: EventSource; token: string | undefined; onOther: () => void };

function ChosenSource({ source, token, onOther }: ChosenProps) {
  return (
    <>
      <div className={classes.sourceHead}>
        <span>
          <strong>{source.name}</strong>, {sourceKindWords[source.kind].label}
        </span>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onOther}>
          {t('Another source')}
        </Button>
      </div>
      <SourceConnect source={source} token={token} />
    </>
  );
}
