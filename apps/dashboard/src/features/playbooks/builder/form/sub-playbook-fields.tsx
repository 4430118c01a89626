import { NativeSelect } from '@mantine/core';
import { formFields, objectOf } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { textAt } from '../document/builder-action.ts';
import { OnErrorField } from './action-fields.tsx';
import { DurationField } from './duration-field.tsx';
import classes from './form.module.css';
import { InputFields } from './input-fields.tsx';
import type { Step } from './use-step.ts';

/** Which playbook it runs, with what inputs. */
export function SubPlaybookFields({ step }: { step: Step }) {
  const { id, known } = useBuilder();
  const { action } = step;
  const chosen = textAt(action, 'playbook_id');
  const playbook = known.playbooks.get(chosen);
  const choices = [...known.playbooks.values()].filter((each) => each.version > 0 && each.id !== id);
  return (
    <>
      <NativeSelect
        id={step.fieldId('playbook_id')}
        label={t('Playbook')}
        description={t('Its version published when this step begins runs.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={step.problemOf('playbook_id')}
        value={chosen}
        data={[
          { value: '', label: t('Choose…'), disabled: chosen !== '' },
          ...choices.map((each) => ({ value: each.id, label: each.metadata.name })),
          ...(chosen !== '' && !choices.some((each) => each.id === chosen)
            ? [{ value: chosen, label: playbook?.metadata.name ?? t('A playbook that is gone') }]
            : []),
        ]}
        onChange={({ currentTarget: { value } }) => step.set({ playbook_id: value, inputs: {} })}
        onBlur={step.leave}
      />
      {playbook === undefined || formFields(playbook.inputs).length === 0 ? null : (
        <section className={classes.section} aria-label={t('Inputs')}>
          <h3 className={classes.sectionTitle}>{t('Inputs')}</h3>
          <InputFields
            key={`${action.id} ${chosen}`}
            schema={playbook.inputs}
            value={objectOf(action.inputs)}
            actionId={action.id}
            problems={step.problems}
            under="inputs"
            idPrefix="field-inputs"
            onChange={(inputs, field) => step.set({ inputs }, `inputs.${field}`)}
            onLeave={step.leave}
          />
        </section>
      )}
      <section className={classes.section} aria-label={t('Failing')}>
        <DurationField
          key={action.id}
          id={step.fieldId('timeout_s')}
          label={t('Time limit')}
          seconds={typeof action.timeout_s === 'number' ? action.timeout_s : undefined}
          problem={step.problemOf('timeout_s')}
          onChange={(timeout_s) => step.set({ timeout_s })}
          onLeave={step.leave}
        />
        <OnErrorField step={step} />
      </section>
    </>
  );
}
