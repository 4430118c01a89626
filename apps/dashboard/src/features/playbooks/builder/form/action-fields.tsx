import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { NativeSelect, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemsAt } from '../../../../components/expression/field-problems.ts';
import { formFields, objectOf } from '../../../../components/schema-form/form-schema.ts';
import { SchemaForm } from '../../../../components/schema-form/schema-form.tsx';
import { t } from '../../../../language/translate.ts';
import { connectorQueries } from '../../../../queries/connectors.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { useBuilder } from '../builder-context.ts';
import { textAt } from '../document/builder-action.ts';
import { DurationField } from './duration-field.tsx';
import { ExpressionField } from './expression-field.tsx';
import classes from './form.module.css';
import { InputFields } from './input-fields.tsx';
import { RetryFields } from './retry-fields.tsx';
import type { Step } from './use-step.ts';

const EXAMPLE_LIST = 'inputs.addresses';

/** What an action does, with what, and what happens when it fails. */
export function ActionFields({ step }: { step: Step }) {
  const { known } = useBuilder();
  const { action } = step;
  const definition = known.actions.get(textAt(action, 'action'));
  return (
    <>
      {definition === undefined ? <UnknownAction step={step} /> : <KnownAction step={step} definition={definition} />}
      <MoreFields step={step} />
    </>
  );
}

function KnownAction({ step, definition }: { step: Step; definition: ActionDefinition }) {
  const { action } = step;
  const schema = definition.input_schema;
  return (
    <>
      <p className={classes.about}>{definition.description}</p>
      {definition.requires_connector ? <ConnectorField step={step} definition={definition} /> : null}
      <section className={classes.section} aria-label={t('Input')}>
        <h3 className={classes.sectionTitle}>{t('Input')}</h3>
        {formFields(schema).length === 0 ? (
          <p className={classes.about}>{t('This action takes no input.')}</p>
        ) : (
          <InputFields
            // Fields of another step start as they are there.
            key={action.id}
            schema={schema}
            value={objectOf(action.input)}
            actionId={action.id}
            problems={step.problems}
            under="input"
            idPrefix="field-input"
            onChange={(input, field) => step.set({ input }, `input.${field}`)}
            onLeave={step.leave}
          />
        )}
      </section>
    </>
  );
}

/** An action the catalogue does not have: its input is shown as it is written. */
function UnknownAction({ step }: { step: Step }) {
  const { action, problemOf } = step;
  const shown = { action: textAt(action, 'action'), input: objectOf(action.input) };
  return (
    <SchemaForm
      schema={{
        type: 'object',
        required: ['action'],
        properties: { action: { type: 'string', title: t('Action') }, input: { type: 'object', title: t('Input') } },
      }}
      value={shown}
      onChange={(next) => step.set({ action: textAt(next, 'action'), input: objectOf(next.input) })}
      problems={['action', 'input'].flatMap((path) => {
        const message = problemOf(path);
        return message === undefined ? [] : [{ path, message }];
      })}
      idPrefix="field"
    />
  );
}

function ConnectorField({ step, definition }: { step: Step; definition: ActionDefinition }) {
  const list = useQuery(connectorQueries.list(useTenantApi()));
  const own = (list.data ?? []).filter(({ definition_id }) => definition_id === definition.definition_id);
  const standard = own.find((connector) => connector.default);
  const chosen = textAt(step.action, 'connector_id');
  const isGone = chosen !== '' && list.data !== undefined && !own.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      id={step.fieldId('connector_id')}
      label={t('Connector')}
      error={
        step.problemOf('connector_id') ??
        (list.data !== undefined && own.length === 0
          ? t('No connector for {product} is set up yet.', { product: definition.product })
          : null)
      }
      value={chosen}
      data={[
        {
          value: '',
          label: standard === undefined ? t('The default one') : t('The default one ({name})', { name: standard.name }),
        },
        ...own.map(({ id, name, enabled }) => ({ value: id, label: enabled ? name : t('{name} · paused', { name }) })),
        ...(isGone ? [{ value: chosen, label: t('A connector that is gone') }] : []),
      ]}
      onChange={({ currentTarget: { value } }) => step.set({ connector_id: value === '' ? null : value })}
      onBlur={step.leave}
    />
  );
}

const moreFields = ['for_each', 'retry', 'timeout_s', 'on_error'] as const;

/** What few actions need, folded up unless something in it is set or wrong. */
function MoreFields({ step }: { step: Step }) {
  const { action } = step;
  const inUse = moreFields.some((name) => action[name] !== undefined && action[name] !== null);
  const [opened, setOpened] = useState(inUse);
  const isOpen = opened || moreFields.some((name) => problemsAt(step.problems, name).length > 0);
  return (
    <section className={classes.section} aria-label={t('Repeating and failing')}>
      <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
        <IconChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        {t('Repeating and failing')}
      </UnstyledButton>
      {isOpen ? (
        <>
          <ExpressionField
            id={step.fieldId('for_each')}
            label={t('For each item of')}
            bare
            actionId={action.id}
            help={t('A list. It runs once for each; “item” and “index” can then be referred to.')}
            placeholder={EXAMPLE_LIST}
            problem={step.problemOf('for_each')}
            value={textAt(action, 'for_each')}
            onChange={(text) => step.set({ for_each: text === '' ? undefined : text })}
            onLeave={step.leave}
          />
          <RetryFields step={step} />
          <DurationField
            key={action.id}
            id={step.fieldId('timeout_s')}
            label={t('Time limit')}
            help={t(
              'Left empty, the limit of the action itself holds. One call to a product ends after 30 seconds in any case.',
            )}
            seconds={typeof action.timeout_s === 'number' ? action.timeout_s : undefined}
            problem={step.problemOf('timeout_s')}
            onChange={(timeout_s) => step.set({ timeout_s })}
            onLeave={step.leave}
          />
          <OnErrorField step={step} />
        </>
      ) : null}
    </section>
  );
}

export function OnErrorField({ step }: { step: Step }) {
  return (
    <NativeSelect
      id={step.fieldId('on_error')}
      label={t('If it fails')}
      value={textAt(step.action, 'on_error') || 'fail'}
      error={step.problemOf('on_error')}
      data={[
        { value: 'fail', label: t('The playbook ends with the error') },
        { value: 'continue', label: t('The playbook goes on') },
      ]}
      onChange={({ currentTarget: { value } }) => step.set({ on_error: value === 'continue' ? 'continue' : undefined })}
      onBlur={step.leave}
    />
  );
}
