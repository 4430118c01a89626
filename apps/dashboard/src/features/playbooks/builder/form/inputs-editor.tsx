import { ActionIcon, Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { problemsAt } from '../../../../components/expression/field-problems.ts';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { freeId } from '../document/builder-action.ts';
import classes from './form.module.css';
import {
  type InputRow,
  inputNameProblem,
  inputRows,
  inputsOf,
  inputTypes,
  inputTypeWords,
} from './input-definitions.ts';

/** What the playbook is given when it starts, row by row. */
export function InputsEditor() {
  const { document: doc, change, problems, announce } = useBuilder();
  const { inputs } = doc.definition;
  const rows = inputRows(inputs);
  const set = (next: readonly InputRow[], typing: string) =>
    change({ type: 'settings', fields: { inputs: inputsOf(next, inputs) }, typing: ['inputs', typing].join(' ') });
  const own = problemsAt(
    problems.filter(({ actionId }) => actionId === undefined),
    'inputs',
  );
  const add = () => {
    const name = freeId(
      'input',
      rows.map((row) => row.name),
    );
    set([...rows, { name, type: 'text', title: '', description: '', required: true, choices: [], schema: {} }], 'rows');
  };
  return (
    <section className={classes.section} aria-label={t('Inputs')} id="field-inputs" tabIndex={-1}>
      <h3 className={classes.sectionTitle}>{t('Inputs')}</h3>
      <p className={classes.help}>{t('What it is given when it starts. Steps refer to them as “inputs.name”.')}</p>
      <ul className={classes.rows}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed
          <li key={index} className={classes.row}>
            <Row
              row={row}
              taken={rows.filter((other) => other !== row).map(({ name }) => name)}
              onChange={(next) => set(rows.with(index, next), String(index))}
              onRename={(to) => {
                change({ type: 'rename-input', from: row.name, to });
                announce(t('Renamed to {to}', { to }));
              }}
              onLeave={() => change({ type: 'pause' })}
            />
            <ActionIcon
              aria-label={t('Remove input {name}', { name: row.name })}
              onClick={() => {
                set(rows.toSpliced(index, 1), 'rows');
                document.getElementById('add-input')?.focus();
              }}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {own.map(({ message, field }) => (
        <p key={`${field} ${message}`} className={classes.problem}>
          {message}
        </p>
      ))}
      <div>
        <Button
          id="add-input"
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          {t('Add an input')}
        </Button>
      </div>
    </section>
  );
}

type RowProps = {
  row: InputRow;
  taken: readonly string[];
  onChange: (row: InputRow) => void;
  /** Expressions that name the input follow. */
  onRename: (to: string) => void;
  onLeave: () => void;
};

function Row({ row, taken, onChange, onRename, onLeave }: RowProps) {
  return (
    <div className={classes.rowFields}>
      <NameField row={row} taken={taken} onRename={onRename} onLeave={onLeave} />
      <NativeSelect
        label={t('Kind')}
        aria-label={t('Kind of {name}', { name: row.name })}
        value={row.type}
        data={[...inputTypes, ...(row.type === 'other' ? (['other'] as const) : [])].map((type) => ({
          value: type,
          label: inputTypeWords[type],
        }))}
        onChange={({ currentTarget: { value } }) => {
          const type = inputTypes.find((each) => each === value);
          if (type !== undefined) onChange({ ...row, type });
        }}
      />
      {row.type === 'choice' ? (
        <Textarea
          className={classes.wide ?? ''}
          label={t('Choices, one on each line')}
          autosize
          minRows={2}
          maxRows={8}
          value={row.choices.join('\n')}
          onChange={({ currentTarget: { value } }) => onChange({ ...row, choices: value.split('\n') })}
          onBlur={() => {
            onChange({ ...row, choices: row.choices.map((choice) => choice.trim()).filter(Boolean) });
            onLeave();
          }}
        />
      ) : null}
      <TextInput
        className={classes.wide ?? ''}
        label={t('Label')}
        aria-label={t('Label of {name}', { name: row.name })}
        placeholder={t('What the form calls it')}
        value={row.title}
        onChange={({ currentTarget: { value: title } }) => onChange({ ...row, title })}
        onBlur={onLeave}
      />
      <TextInput
        className={classes.wide ?? ''}
        label={t('Help')}
        aria-label={t('Help for {name}', { name: row.name })}
        value={row.description}
        onChange={({ currentTarget: { value: description } }) => onChange({ ...row, description })}
        onBlur={onLeave}
      />
      <Checkbox
        className={classes.wide ?? ''}
        size="xs"
        label={t('Needed')}
        aria-label={t('{name} is needed', { name: row.name })}
        checked={row.required}
        onChange={(event) => onChange({ ...row, required: event.currentTarget.checked })}
      />
    </div>
  );
}

/** Taken over when it is left: half a name would be an input of its own for a moment. */
function NameField({ row, taken, onRename, onLeave }: Omit<RowProps, 'onChange'>) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? row.name;
  const problem = inputNameProblem(shown, taken);
  const keep = () => {
    setTyped(undefined);
    if (problem === undefined && shown !== row.name) onRename(shown);
    onLeave();
  };
  return (
    <TextInput
      label={t('Name')}
      aria-label={t('Name of input {name}', { name: row.name })}
      classNames={{ input: 'air-mono' }}
      autoComplete="off"
      spellCheck={false}
      value={shown}
      error={problem}
      onChange={(event) => setTyped(event.currentTarget.value.trim())}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
      }}
    />
  );
}
