import type { JsonObject } from '@airdeck/contracts/fields';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { ProblemSummary } from '../../components/schema-form/problem-summary.tsx';
import { SchemaForm } from '../../components/schema-form/schema-form.tsx';
import type { SchemaProblem } from '../../components/schema-form/schema-problems.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import {
  type ConnectorDraft,
  type DraftProblems,
  type Fetching,
  NAME_MAX,
  nameId,
  nameProblem,
  partPrefix,
  switched,
} from './connector-draft.ts';
import classes from './integrations.module.css';

type Props = {
  integration: Integration;
  draft: ConnectorDraft;
  /** Of a submit, a test or the server; what is wrong with a field that was left shows without. */
  problems: DraftProblems;
  idPrefix: string;
  onChange: (draft: ConnectorDraft) => void;
  /** Under the fields of the connection: the test. */
  test?: ReactNode;
};

/** Name, connection, events and metrics of a connector. */
export function ConnectorFields({ integration, draft, problems, idPrefix, onChange, test }: Props) {
  const [leftName, setLeftName] = useState(false);
  return (
    <>
      <Panel title={t('Connection')}>
        <div className={classes.form}>
          <ProblemSummary
            schema={integration.config_schema}
            problems={problems.config}
            idPrefix={partPrefix(idPrefix, 'config')}
          />
          <TextInput
            id={nameId(idPrefix)}
            label={t('Name')}
            description={t('How it is called here, in playbooks and in the audit log.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={NAME_MAX}
            autoComplete="off"
            aria-required
            value={draft.name}
            error={problems.name ?? (leftName ? nameProblem(draft.name) : undefined)}
            onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
            onBlur={() => setLeftName(true)}
          />
          <SchemaForm
            schema={integration.config_schema}
            value={draft.config}
            problems={problems.config}
            idPrefix={partPrefix(idPrefix, 'config')}
            onChange={(config) => onChange({ ...draft, config })}
          />
          {test}
        </div>
      </Panel>
      {integration.can_fetch_events ? (
        <FetchingPanel
          title={t('Events')}
          label={t('Fetch events')}
          help={t('They are searchable, and policies look at them as they come in.')}
          schema={integration.event_options_schema}
          fetching={draft.events}
          problems={problems.events}
          idPrefix={partPrefix(idPrefix, 'events')}
          onChange={(events) => onChange({ ...draft, events })}
        />
      ) : null}
      {integration.can_fetch_metrics ? (
        <FetchingPanel
          title={t('Metrics')}
          label={t('Fetch metrics')}
          help={t('Figures the system tells about itself, shown with its health.')}
          schema={integration.metric_options_schema}
          fetching={draft.metrics}
          problems={problems.metrics}
          idPrefix={partPrefix(idPrefix, 'metrics')}
          onChange={(metrics) => onChange({ ...draft, metrics })}
        />
      ) : null}
    </>
  );
}

type FetchingProps = {
  title: string;
  label: string;
  help: string;
  schema: JsonObject | null;
  fetching: Fetching;
  problems: readonly SchemaProblem[];
  idPrefix: string;
  onChange: (fetching: Fetching) => void;
};

function FetchingPanel({ title, label, help, schema, fetching, problems, idPrefix, onChange }: FetchingProps) {
  return (
    <Panel title={title}>
      <div className={classes.form}>
        <Checkbox
          label={label}
          description={help}
          checked={fetching.enabled}
          onChange={(event) => onChange(switched(fetching, event.currentTarget.checked, schema))}
        />
        {fetching.enabled && schema !== null && formFields(schema).length > 0 ? (
          <>
            <ProblemSummary schema={schema} problems={problems} idPrefix={idPrefix} />
            <SchemaForm
              schema={schema}
              value={fetching.options}
              problems={problems}
              idPrefix={idPrefix}
              onChange={(options) => onChange({ ...fetching, options })}
            />
          </>
        ) : null}
      </div>
    </Panel>
  );
}
