import { limits } from '@airdeck/contracts/limits';
import type { DraftDefinition, PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t, told } from '../../../language/translate.ts';
import { playbookMutations } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import classes from './list.module.css';

const TOO_LARGE = t('The file is larger than {size} MB, which is more than a playbook can have.', {
  size: limits.playbookYamlMaxBytes / 1_000_000,
});

/** Reads a playbook from YAML, says what is wrong with it, and opens it in the builder as a draft. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const tenantApi = useTenantApi();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  const read = useMutation(playbookMutations.readYaml(tenantApi));
  const create = useMutation(playbookMutations.create(tenantApi, useQueryClient(), useCallIntent()));
  const change = (next: string) => {
    setText(next);
    setTooLarge(false);
    read.reset();
    if (create.isError) create.reset();
  };
  const found = read.data?.definition ?? null;
  const open = (definition: DraftDefinition) =>
    create.mutate(definition, {
      onSuccess: ({ playbook_id }) =>
        void navigate({ to: '/playbooks/$id/edit', params: { id: playbook_id }, ignoreBlocker: true }),
    });

  return (
    <FormDialog title={t('Import a playbook')} size={680} dirty={text.trim() !== ''} onClose={onClose}>
      <Stack gap="md">
        <FileChoice
          onText={change}
          onTooLarge={() => {
            change('');
            setTooLarge(true);
          }}
        />
        <Textarea
          label={t('YAML')}
          description={t('Choose a file, or paste the text here. Nothing is stored before you open it in the builder.')}
          className={classes.yaml ?? ''}
          autosize
          minRows={8}
          maxRows={16}
          spellCheck={false}
          value={text}
          error={tooLarge ? TOO_LARGE : undefined}
          onChange={(event) => change(event.currentTarget.value)}
          data-autofocus
        />
        <ProblemNote error={read.error ?? create.error} />
        {read.data === undefined ? null : <Found {...read.data} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          {found === null ? (
            <Button
              loading={read.isPending}
              disabled={text.trim() === '' || read.data !== undefined}
              onClick={() => read.mutate(text)}
            >
              {t('Check')}
            </Button>
          ) : (
            <Button loading={create.isPending} onClick={() => open(found)}>
              {t('Open in the builder')}
            </Button>
          )}
        </Group>
      </Stack>
    </FormDialog>
  );
}

type FileProps = { onText: (text: string) => void; onTooLarge: () => void };

function FileChoice({ onText, onTooLarge }: FileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setName(file.name);
    if (file.size > limits.playbookYamlMaxBytes) onTooLarge();
    else onText(await file.text());
  };
  return (
    <div className={classes.file}>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,text/yaml"
        aria-label={t('YAML file')}
        hidden
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          // The same file may be chosen again, once it was corrected.
          event.currentTarget.value = '';
        }}
      />
      <Button variant="default" leftSection={<IconFile size={16} aria-hidden />} onClick={() => input.current?.click()}>
        {t('Choose a file')}
      </Button>
      <span className={classes.faint}>{name ?? t('A .yaml or .yml file')}</span>
    </div>
  );
}

type FoundProps = { definition: DraftDefinition | null; problems: readonly PlaybookProblem[] };

function Found({ definition, problems }: FoundProps) {
  return (
    <div className={classes.found} role="status">
      {definition === null ? t('This is not a playbook yet.') : <Summary definition={definition} problems={problems} />}
      {problems.length === 0 ? null : (
        <ul className={classes.problems}>
          {problems.map(({ path, ...problem }) => (
            <li key={`${path} ${problem.message}`}>
              {path === '' ? null : <span className={`air-mono ${classes.place}`}>{path} </span>}
              {told(problem)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Summary({ definition, problems }: { definition: DraftDefinition; problems: readonly PlaybookProblem[] }) {
  const steps = plural(definition.actions.length, '{count} step', '{count} steps');
  return (
    <>
      {tx('{name}, {steps}.', { name: <strong>{definition.metadata.name}</strong>, steps })}{' '}
      {problems.length === 0
        ? t('Nothing is wrong with it.')
        : t('It can be opened as a draft; this has to be mended before it can be published:')}
    </>
  );
}
