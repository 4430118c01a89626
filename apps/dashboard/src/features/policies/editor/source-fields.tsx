import { ActionIcon, Autocomplete, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import type { DraftProblems } from '../draft/draft-problems.ts';
import { type PolicyDraft, type SourceChoice, sourceOf, sourcesOf } from '../draft/policy-draft.ts';
import classes from './editor.module.css';
import type { SourceChoices } from './source-choices.ts';

const MAX_SOURCES = 21;

type Props = {
  draft: PolicyDraft;
  choices: SourceChoices;
  places: DraftProblems['places'];
  onChange: (part: Partial<PolicyDraft>) => void;
};

/** Whose events are looked at: one source, or several of the same kind of events. */
export function SourceFields({ draft, choices, places, onChange }: Props) {
  return (
    <Panel title={t('Whose events')}>
      <div data-place="source">
        <SourceList
          sources={sourcesOf(draft.logic)}
          choices={choices}
          onChange={(sources) => onChange({ logic: { ...draft.logic, source: sourceOf(sources) } })}
        />
      </div>
      {places.source === undefined ? null : <p className={classes.problem}>{places.source}</p>}
    </Panel>
  );
}

type ListProps = {
  sources: readonly SourceChoice[];
  choices: SourceChoices;
  onChange: (sources: readonly SourceChoice[]) => void;
};

/** Of a policy, or of one of its steps. */
export function SourceList({ sources, choices, onChange }: ListProps) {
  return (
    <>
      <ul className={classes.sources}>
        {sources.map((source, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: sources have no identity but their place, and hold no state
            key={index}
          >
            <SourceRow
              source={source}
              number={index + 1}
              choices={choices}
              onChange={(next) => onChange(sources.with(index, next))}
              onRemove={sources.length === 1 ? undefined : () => onChange(sources.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      {sources.length < MAX_SOURCES ? (
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes.adder ?? ''}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...sources, { connector_definition_id: '', event_type: '' }])}
        >
          {t('Further source')}
        </Button>
      ) : null}
    </>
  );
}

type RowProps = {
  source: SourceChoice;
  number: number;
  choices: SourceChoices;
  onChange: (source: SourceChoice) => void;
  onRemove: (() => void) | undefined;
};

function SourceRow({ source, number, choices, onChange, onRemove }: RowProps) {
  const { connector_definition_id: integration, event_type } = source;
  const silent = integration !== '' && choices.hasSent(integration.trim(), event_type.trim()) === false;
  return (
    <>
      <div className={classes.source}>
        <Autocomplete
          aria-label={t('Integration of source {number}', { number })}
          placeholder={t('any integration')}
          maxLength={100}
          limit={60}
          data={[...choices.integrations]}
          value={integration}
          onChange={(value) => onChange({ ...source, connector_definition_id: value.trim() })}
        />
        <Autocomplete
          aria-label={t('Kind of events of source {number}', { number })}
          placeholder={t('all its events')}
          maxLength={100}
          limit={60}
          data={[...choices.eventTypes(integration)]}
          value={event_type}
          onChange={(value) => onChange({ ...source, event_type: value.trim() })}
        />
        {onRemove === undefined ? null : (
          <ActionIcon aria-label={t('Remove source {number}', { number })} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {silent ? <p className={classes.help}>{t('No such event has arrived yet.')}</p> : null}
    </>
  );
}
