import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { asExpression } from '../../../../components/expression/expression-value.ts';
import { problemsAt } from '../../../../components/expression/field-problems.ts';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { freeId } from '../document/builder-action.ts';
import { ExpressionField } from './expression-field.tsx';
import classes from './form.module.css';
import { inputNameProblem } from './input-definitions.ts';

const EXAMPLE = '{{ actions.lookup.output.score }}';

/** What a run leaves behind, for whoever started it and for playbooks that run this one. */
export function OutputsEditor() {
  const { document: doc, change, problems } = useBuilder();
  const entries = Object.entries(doc.definition.outputs);
  const own = problems.filter(({ actionId }) => actionId === undefined);
  const set = (next: readonly (readonly [string, unknown])[], typing: string) =>
    change({ type: 'settings', fields: { outputs: Object.fromEntries(next) }, typing: ['outputs', typing].join(' ') });
  const names = entries.map(([name]) => name);
  return (
    <section className={classes.section} aria-label={t('Outputs')} id="field-outputs" tabIndex={-1}>
      <h3 className={classes.sectionTitle}>{t('Outputs')}</h3>
      <p className={classes.help}>{t('Optional. What a run leaves behind when all went well.')}</p>
      <ul className={classes.rows}>
        {entries.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed
          <li key={index} className={classes.row}>
            <div className={classes.fields}>
              <NameField
                name={name}
                taken={names.toSpliced(index, 1)}
                onRename={(to) => set(entries.with(index, [to, value]), 'names')}
              />
              <ExpressionField
                id={`field-outputs-${name}`}
                label={t('Value')}
                actionId={undefined}
                placeholder={EXAMPLE}
                problem={problemsAt(own, `outputs.${name}`)[0]?.message}
                value={asExpression(value)}
                onChange={(text) => set(entries.with(index, [name, text]), name)}
                onLeave={() => change({ type: 'pause' })}
              />
            </div>
            <ActionIcon
              aria-label={t('Remove output {name}', { name })}
              onClick={() => {
                set(entries.toSpliced(index, 1), 'rows');
                document.getElementById('add-output')?.focus();
              }}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div>
        <Button
          id="add-output"
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...entries, [freeId('output', names), '']], 'rows')}
        >
          {t('Add an output')}
        </Button>
      </div>
    </section>
  );
}

type NameProps = { name: string; taken: readonly string[]; onRename: (to: string) => void };

function NameField({ name, taken, onRename }: NameProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? name;
  const problem = inputNameProblem(shown, taken);
  const keep = () => {
    setTyped(undefined);
    if (problem === undefined && shown !== name) onRename(shown);
  };
  return (
    <TextInput
      label={t('Name')}
      aria-label={t('Name of output {name}', { name })}
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
