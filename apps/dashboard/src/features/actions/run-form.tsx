import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { Checkbox, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useId } from 'react';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { ProblemSummary } from '../../components/schema-form/problem-summary.tsx';
import { SchemaForm } from '../../components/schema-form/schema-form.tsx';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { useReader } from '../../ui/reader.ts';
import classes from './actions.module.css';
import { ConnectorField, connectorReason, useConnectorChoice } from './connector-field.tsx';
import { zoneName } from './start-time.ts';
import { useRunForm } from './use-run-form.ts';

type Props = {
  action: ActionDefinition;
  /** What the input begins with. */
  input: JsonObject | undefined;
  /** The case it answers. */
  caseId: string | undefined;
  onStarted: (run: ActionActivity) => void;
};

/** Input of an action, with which connector, and when. */
export function RunForm({ action, input, caseId, onStarted }: Props) {
  const { reason } = useAccess('actions');
  const idPrefix = `run-${useId()}`;
  const choice = useConnectorChoice(action);
  const form = useRunForm({ action, input, caseId, connectorId: choice.chosen, idPrefix, onStarted });
  const blocked = reason ?? connectorReason(choice);
  const schema = action.input_schema;
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={t('Run {friendly_name}', { friendly_name: action.friendly_name })}
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field, and the button that says why it cannot be used, submit all the same.
        if (blocked === undefined) form.run();
      }}
    >
      <ProblemSummary schema={schema} problems={form.problems} idPrefix={idPrefix} />
      {formFields(schema).length === 0 ? (
        <p className={classes.words}>{t('This action takes no input.')}</p>
      ) : (
        <SchemaForm
          schema={schema}
          value={form.value}
          onChange={form.change}
          problems={form.problems}
          disabled={form.starting}
          idPrefix={idPrefix}
        />
      )}
      <ConnectorField action={action} choice={choice} disabled={form.starting} />
      <StartTimeField
        id={`${idPrefix}-when`}
        value={form.when}
        problem={form.whenProblem}
        disabled={form.starting}
        onChange={form.changeWhen}
      />
      <ProblemNote error={form.failure} />
      <div>
        <GuardedButton
          type="submit"
          reason={blocked}
          loading={form.starting}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
        >
          {form.when === undefined ? t('Run') : t('Schedule')}
        </GuardedButton>
      </div>
      <LeaveGuard dirty={form.dirty} param="action" />
    </form>
  );
}

type TimeProps = {
  id: string;
  /** Undefined: at once. */
  value: string | undefined;
  problem: string | undefined;
  disabled: boolean;
  onChange: (value: string | undefined) => void;
};

function StartTimeField({ id, value, problem, disabled, onChange }: TimeProps) {
  const { timeZone } = useReader();
  return (
    <>
      <Checkbox
        label={t('Run later')}
        checked={value !== undefined}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked ? '' : undefined)}
      />
      {value === undefined ? null : (
        <TextInput
          id={id}
          type="datetime-local"
          label={t('Start at')}
          description={t('Time in {zoneName}.', { zoneName: zoneName(timeZone) })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value}
          error={problem}
          disabled={disabled}
          aria-required
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}
