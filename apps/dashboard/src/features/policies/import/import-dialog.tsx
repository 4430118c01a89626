import { Button, Checkbox, Group, Progress, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { wasCancelled } from '../../../components/confirmation/cancelled.ts';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { refreshPolicies } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { FileChoice } from './file-choice.tsx';
import classes from './import.module.css';
import { type Done, type ImportChoices, runImport } from './import-run.ts';
import { ImportedRules } from './imported-rules.tsx';
import { type FilesRead, type RuleFile, readLimits } from './read-files.ts';

/** The file of what is pasted, which has no name of its own. */
const PASTED = 'pasted.yml';

/** Imports Sigma rules: first says rule by rule what would become of them, then stores them, switched off. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<FilesRead>();
  const [pasted, setPasted] = useState('');
  const [choices, setChoices] = useState<ImportChoices>({ license: '', replace: false });
  const files: readonly RuleFile[] = [
    ...(chosen?.files ?? []),
    ...(pasted.trim() === '' ? [] : [{ name: PASTED, text: pasted }]),
  ];
  const { run, start, done, forget } = useImport(files, choices);
  const imported = run.data !== undefined && !run.variables?.dryRun;
  // Portions before a failure are stored.
  const stopped = run.isError && !run.variables.dryRun && done.rules.length > 0 ? done.rules : undefined;
  const rules = run.data ?? stopped;
  const count = run.data?.filter(({ status }) => status === 'imported').length ?? 0;
  const change = (next: () => void) => {
    forget();
    next();
  };
  return (
    <FormDialog
      title={t('Import Sigma rules')}
      size={720}
      closeLabel={t('Close')}
      dirty={!imported && files.length > 0}
      onClose={onClose}
    >
      <Stack gap="md">
        {imported ? null : (
          <Sources
            chosen={chosen}
            pasted={pasted}
            choices={choices}
            disabled={run.isPending}
            onFiles={(read) => change(() => setChosen(read))}
            onPaste={(text) => change(() => setPasted(text))}
            onChoices={(next) => change(() => setChoices(next))}
          />
        )}
        {run.isPending && files.length > 1 ? (
          <div>
            <Progress value={(done.files / files.length) * 100} aria-label={t('Files done')} />
            <p className={classes.hint} role="status">
              {t('{done} of {count} files', { done: done.files, count: files.length })}
            </p>
          </div>
        ) : null}
        <ProblemNote error={wasCancelled(run.error) ? null : run.error} />
        {rules === undefined ? null : (
          <ImportedRules rules={rules} dryRun={run.variables?.dryRun === true} onLeave={onClose} />
        )}
        {imported && count > 0 ? (
          <p className={classes.hint}>{t('Imported policies are off. Backtest what matters, then switch it on.')}</p>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {imported ? t('Done') : t('Cancel')}
          </Button>
          {imported ? null : run.data === undefined ? (
            <Button loading={run.isPending} disabled={files.length === 0} onClick={() => start(true)}>
              {t('Check')}
            </Button>
          ) : (
            <Button loading={run.isPending} disabled={count === 0} onClick={() => start(false)}>
              {plural(count, 'Import {count} rule', 'Import {count} rules')}
            </Button>
          )}
        </Group>
      </Stack>
    </FormDialog>
  );
}

function useImport(files: readonly RuleFile[], choices: ImportChoices) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<Done>({ files: 0, rules: [] });
  const stop = useRef<AbortController>(undefined);
  const [intent, setIntent] = useState(() => crypto.randomUUID());
  useEffect(() => () => stop.current?.abort(), []);
  const run = useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ dryRun }: { dryRun: boolean }) => {
      setDone({ files: 0, rules: [] });
      stop.current = new AbortController();
      const { signal } = stop.current;
      return runImport(tenantApi, { files, choices, dryRun, intent, signal, onProgress: setDone });
    },
    // Also after a failure: the portions before it are stored.
    onSettled: (_, __, { dryRun }) => {
      if (!dryRun) refreshPolicies(queryClient, tenantApi.tenantId);
    },
  });
  const forget = () => {
    run.reset();
    setIntent(crypto.randomUUID());
  };
  return { run, done, start: (dryRun: boolean) => run.mutate({ dryRun }), forget };
}

type SourcesProps = {
  chosen: FilesRead | undefined;
  pasted: string;
  choices: ImportChoices;
  disabled: boolean;
  onFiles: (read: FilesRead) => void;
  onPaste: (text: string) => void;
  onChoices: (choices: ImportChoices) => void;
};

function Sources({ chosen, pasted, choices, disabled, onFiles, onPaste, onChoices }: SourcesProps) {
  return (
    <fieldset className={classes.sources} disabled={disabled}>
      <FileChoice chosen={chosen} onFiles={onFiles} />
      <Textarea
        label={t('Or paste rules')}
        description={t('YAML; several rules are separated by a line of three dashes.')}
        classNames={{ input: classes.yaml ?? '' }}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        maxLength={readLimits.fileChars}
        value={pasted}
        onChange={(event) => onPaste(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('License of rules that name none')}
        placeholder={t('Detection Rule License 1.1')}
        maxLength={500}
        value={choices.license}
        onChange={(event) => onChoices({ ...choices, license: event.currentTarget.value })}
      />
      <Checkbox
        label={t('Renew policies that were imported from the same rules')}
        description={t('Their rule is replaced as a new version; otherwise such rules are skipped.')}
        checked={choices.replace}
        onChange={(event) => onChoices({ ...choices, replace: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
