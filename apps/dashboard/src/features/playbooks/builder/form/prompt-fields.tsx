import { roleLabels, roles } from '@airdeck/contracts/access/roles';
import type { JsonObject } from '@airdeck/contracts/fields';
import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { objectOf } from '../../../../components/schema-form/form-schema.ts';
import { known, t } from '../../../../language/translate.ts';
import { idFrom, textAt } from '../document/builder-action.ts';
import { withFields } from '../document/json.ts';
import { DurationField } from './duration-field.tsx';
import { ExpressionField } from './expression-field.tsx';
import classes from './form.module.css';
import type { Step } from './use-step.ts';

/** What is asked, which answers there are, who may give them, and what happens when nobody does. */
export function PromptFields({ step }: { step: Step }) {
  const { action } = step;
  const options = optionsOf(action);
  return (
    <>
      <ExpressionField
        id={step.fieldId('message')}
        label={t('Question')}
        prose
        rows={2}
        actionId={action.id}
        placeholder={t('Block {expression} on the firewall?', { expression: '{{ inputs.ip }}' })}
        problem={step.problemOf('message')}
        value={textAt(action, 'message')}
        onChange={(message) => step.set({ message })}
        onLeave={step.leave}
      />
      <OptionsField step={step} options={options} />
      <section className={classes.section} aria-label={t('Who answers, and until when')}>
        <h3 className={classes.sectionTitle}>{t('Who answers, and until when')}</h3>
        <ApproversField step={step} />
        <DurationField
          key={action.id}
          id={step.fieldId('expires_in_s')}
          label={t('Waits at most')}
          help={t('Left empty, it waits for ever.')}
          seconds={typeof action.expires_in_s === 'number' ? action.expires_in_s : undefined}
          problem={step.problemOf('expires_in_s')}
          onChange={(expires_in_s) => step.set({ expires_in_s })}
          onLeave={step.leave}
        />
        <NativeSelect
          id={step.fieldId('default_option')}
          label={t('If nobody answers in time')}
          error={step.problemOf('default_option')}
          value={textAt(action, 'default_option')}
          data={[
            { value: '', label: t('This step fails') },
            ...options.map((option) => ({
              value: textAt(option, 'value'),
              label: t('“{label}” is taken', { label: textAt(option, 'label') }),
            })),
          ]}
          onChange={({ currentTarget: { value } }) => step.set({ default_option: value === '' ? undefined : value })}
          onBlur={step.leave}
        />
      </section>
    </>
  );
}

function optionsOf(action: JsonObject): JsonObject[] {
  return Array.isArray(action.options) ? action.options.map(objectOf) : [];
}

const styles = [
  { value: 'default', label: t('Plain') },
  { value: 'primary', label: t('Highlighted') },
  { value: 'danger', label: t('Dangerous') },
];

function OptionsField({ step, options }: { step: Step; options: readonly JsonObject[] }) {
  const set = (next: readonly JsonObject[], typing: string) =>
    step.set({ options: next }, ['options', typing].join(' '));
  const problem = step.problems.find(({ field }) => field === 'options')?.message;
  const replace = (index: number, fields: JsonObject) =>
    set(
      options.map((option, at) => (at === index ? withFields(option, fields) : option)),
      String(index),
    );
  return (
    <section className={classes.section} aria-label={t('Answers')}>
      <h3 className={classes.sectionTitle}>{t('Answers')}</h3>
      <ul className={classes.rows}>
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: answers have no identity of their own
          <li key={index} className={classes.row}>
            <div className={classes.rowFields}>
              <TextInput
                id={step.fieldId(`options.${index}`)}
                className={classes.wide ?? ''}
                label={t('Answer')}
                aria-label={t('Answer {number}', { number: index + 1 })}
                error={step.problemOf(`options.${index}`)}
                value={textAt(option, 'label')}
                onChange={({ currentTarget: { value: label } }) =>
                  replace(index, { label, value: valueFor(option, label) })
                }
                onBlur={step.leave}
              />
              <TextInput
                label={t('Value')}
                aria-label={t('Value of answer {number}', { number: index + 1 })}
                classNames={{ input: 'air-mono' }}
                spellCheck={false}
                value={textAt(option, 'value')}
                onChange={({ currentTarget: { value } }) => replace(index, { value: value.trim() })}
                onBlur={step.leave}
              />
              <NativeSelect
                label={t('Look')}
                aria-label={t('Look of answer {number}', { number: index + 1 })}
                data={styles}
                value={textAt(option, 'style') || 'default'}
                onChange={({ currentTarget: { value: style } }) => replace(index, { style })}
              />
            </div>
            <ActionIcon
              aria-label={t('Remove answer {number}', { number: index + 1 })}
              onClick={() => {
                set(options.toSpliced(index, 1), 'rows');
                document.getElementById('add-answer')?.focus();
              }}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {problem === undefined ? null : <p className={classes.problem}>{problem}</p>}
      <div>
        <Button
          id="add-answer"
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={options.length >= 10}
          onClick={() => set([...options, { value: '', label: '', style: 'default' }], 'rows')}
        >
          {t('Add an answer')}
        </Button>
      </div>
    </section>
  );
}

/** The value follows the words as long as it was made from them. */
function valueFor(option: JsonObject, label: string): string {
  const value = textAt(option, 'value');
  const before = textAt(option, 'label');
  const isOwn = value !== '' && value !== idFrom(before) && before !== '';
  return isOwn ? value : label.trim() === '' ? '' : idFrom(label);
}

const ANYBODY = '';

function ApproversField({ step }: { step: Step }) {
  const approvers = objectOf(step.action.approvers);
  const usernames = Array.isArray(approvers.usernames) ? approvers.usernames.map(String) : [];
  const set = (fields: JsonObject) => {
    const next = withFields(approvers, fields);
    step.set({ approvers: Object.keys(next).length === 0 ? undefined : next }, 'approvers');
  };
  return (
    <>
      <NativeSelect
        id={step.fieldId('approvers.role')}
        label={t('May be answered by')}
        error={step.problemOf('approvers.role')}
        value={textAt(approvers, 'role')}
        data={[
          {
            value: ANYBODY,
            label: usernames.length > 0 ? t('Only those named below') : t('Everybody who may run playbooks'),
          },
          ...roles
            .filter((role) => role !== 'ReadOnly')
            .map((role) => ({
              value: role,
              label: role === 'Admin' ? t('Admins') : t('{role} and above', { role: known(roleLabels[role]) }),
            })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ role: value === ANYBODY ? undefined : value })}
        onBlur={step.leave}
      />
      <Textarea
        id={step.fieldId('approvers.usernames')}
        label={t('Or by these people')}
        description={t('Optional. Usernames, one on each line.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={step.problemOf('approvers.usernames')}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        value={usernames.join('\n')}
        onChange={({ currentTarget: { value } }) => set({ usernames: value === '' ? undefined : value.split('\n') })}
        onBlur={() => {
          const clean = usernames.map((name) => name.trim()).filter(Boolean);
          if (clean.join('\n') !== usernames.join('\n')) set({ usernames: clean.length === 0 ? undefined : clean });
          step.leave();
        }}
      />
    </>
  );
}
