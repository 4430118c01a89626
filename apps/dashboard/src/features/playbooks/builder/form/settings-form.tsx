import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { problemsAt } from '../../../../components/expression/field-problems.ts';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { DurationField } from './duration-field.tsx';
import classes from './form.module.css';
import { InputsEditor } from './inputs-editor.tsx';
import { OutputsEditor } from './outputs-editor.tsx';
import { stepFieldId } from './use-step.ts';

const atOnce = [1, 2, 4, 8, 16, 32, 64] as const;

/** The playbook itself, while no step is selected. */
export function SettingsForm() {
  const { document: doc, change, problems } = useBuilder();
  const { metadata, exec_options: options } = doc.definition;
  const own = problems.filter(({ actionId }) => actionId === undefined);
  const problemOf = (field: string) => problemsAt(own, field)[0]?.message;
  const pause = () => change({ type: 'pause' });
  const setWords = (fields: Partial<typeof metadata>, typing: string) =>
    change({ type: 'settings', fields: { metadata: { ...metadata, ...fields } }, typing });
  const setOption = (name: string, value: number | undefined) => {
    const { [name]: _, ...rest } = options;
    const next = value === undefined ? rest : { ...options, [name]: value };
    change({ type: 'settings', fields: { exec_options: next }, typing: name });
  };
  const concurrent = typeof options.max_concurrent_actions === 'number' ? options.max_concurrent_actions : 4;
  const choices = [...new Set([...atOnce, concurrent])].toSorted((one, other) => one - other);
  return (
    <section className={classes.form} aria-labelledby="settings-title">
      <h2 id="settings-title" tabIndex={-1} className={classes.title}>
        {t('Playbook')}
      </h2>
      <TextInput
        id={stepFieldId('metadata.name')}
        label={t('Name')}
        maxLength={200}
        error={problemOf('metadata.name')}
        value={metadata.name}
        onChange={({ currentTarget: { value: name } }) => setWords({ name }, 'name')}
        onBlur={pause}
      />
      <Textarea
        id={stepFieldId('metadata.description')}
        label={t('Description')}
        description={t('What it is for, and when to run it.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        error={problemOf('metadata.description')}
        value={metadata.description}
        onChange={({ currentTarget: { value: description } }) => setWords({ description }, 'description')}
        onBlur={pause}
      />
      <InputsEditor />
      <OutputsEditor />
      <section className={classes.section} aria-label={t('Running')}>
        <h3 className={classes.sectionTitle}>{t('Running')}</h3>
        <NativeSelect
          id={stepFieldId('exec_options.max_concurrent_actions')}
          label={t('Steps at once')}
          error={problemOf('exec_options.max_concurrent_actions')}
          value={String(concurrent)}
          data={choices.map((count) => ({
            value: String(count),
            label: count === 1 ? t('One') : t('Up to {count}', { count }),
          }))}
          onChange={({ currentTarget: { value } }) => setOption('max_concurrent_actions', Number(value))}
        />
        <DurationField
          id={stepFieldId('exec_options.timeout_s')}
          label={t('Time limit of a run')}
          help={t('Left empty, a run may take as long as its questions wait.')}
          seconds={typeof options.timeout_s === 'number' ? options.timeout_s : undefined}
          problem={problemOf('exec_options.timeout_s')}
          onChange={(seconds) => setOption('timeout_s', seconds)}
          onLeave={pause}
        />
      </section>
    </section>
  );
}
