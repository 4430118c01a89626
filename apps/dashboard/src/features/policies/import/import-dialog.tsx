import type { SigmaFile } from '@airdeck/domain/sigma-documents';
import { Button, Checkbox, Group, Progress, Stack, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { FileChoice } from './file-choice.tsx';
import classes from './import.module.css';
import { type ImportChoices, importedIn } from './import-run.ts';
import { OutcomeList } from './outcome-list.tsx';
import { type FileReading, useFileReading } from './use-file-reading.ts';
import { useImport } from './use-import.ts';

/** The file of what is pasted, which has no name of its own. */
const PASTED = 'pasted.yml';
/** A field with more is slow to type in; a file may be far longer. */
const PASTED_CHARS = 256_000;

/** Imports Sigma rules: first says rule by rule what would become of them, then stores them, switched off. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [pasted, setPasted] = useState('');
  const [choices, setChoices] = useState<ImportChoices>({ license: '', replace: false });
  const reading = useFileReading(() => run.forget());
  const { read, progress } = reading;
  const files = useMemo<readonly SigmaFile[]>(
    () => [...(read?.files ?? []), ...(pasted.trim() === '' ? [] : [{ name: PASTED, text: pasted }])],
    [read, pasted],
  );
  const run = useImport({ files, leftOut: read?.leftOut ?? [], choices });
  const { going, isRunning, isThrough } = run;
  const imported = isThrough && going?.dryRun === false;
  const isChecked = isThrough && going?.dryRun === true;
  const count = importedIn(going);
  const change = (next: () => void) => {
    run.forget();
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
            reading={reading}
            pasted={pasted}
            choices={choices}
            disabled={isRunning}
            onPaste={(text) => change(() => setPasted(text))}
            onChoices={(next) => change(() => setChoices(next))}
          />
        )}
        {going === undefined || (isRunning && going.outcomes.length === 0) ? null : (
          <OutcomeList
            outcomes={going.outcomes}
            dryRun={going.dryRun}
            growing={isRunning}
            onLeave={imported ? onClose : undefined}
          />
        )}
        {imported && count > 0 ? (
          <p className={classes.hint}>{t('Imported policies are off. Backtest what matters, then switch it on.')}</p>
        ) : null}
        <div className={classes.actions}>
          <ProblemNote error={run.error} />
          <ImportProgress run={run} />
          <Group justify="flex-end" gap="xs">
            {canStop(run) ? (
              <Button variant="default" disabled={run.isStopping || isAtLast(run)} onClick={run.stop}>
                {run.isStopping ? t('Stopping…') : t('Stop')}
              </Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                {closeWord(run)}
              </Button>
            )}
            {imported ? null : run.isHalfWay ? (
              <Button disabled={progress !== undefined} onClick={run.goOn}>
                {run.error === null ? t('Go on') : t('Try again')}
              </Button>
            ) : isChecked || going?.dryRun === false ? (
              <Button loading={isRunning} disabled={going.expected === 0 || progress !== undefined} onClick={run.start}>
                {plural(going.expected, 'Import {count} rule', 'Import {count} rules')}
              </Button>
            ) : (
              <Button loading={isRunning} disabled={files.length === 0 || progress !== undefined} onClick={run.check}>
                {t('Check')}
              </Button>
            )}
          </Group>
        </div>
      </Stack>
    </FormDialog>
  );
}

type Run = ReturnType<typeof useImport>;

/** What an import has stored is not taken back. */
function closeWord({ isThrough, going }: Run): string {
  if (going === undefined || going.dryRun) return t('Cancel');
  return isThrough ? t('Done') : t('Close');
}

/** The button stays to the end: another one in its place would be pressed for it. */
function canStop({ isRunning, going }: Run): boolean {
  return isRunning && going !== undefined && going.plan.portions.length > 1;
}

/** Nothing is left to stop: what is on its way is waited for. */
function isAtLast({ going }: Run): boolean {
  return going !== undefined && going.plan.portions.length - going.next <= 1;
}

/** How far it is, while it runs and where it stopped. */
function ImportProgress({ run: { going, isRunning, isHalfWay, error } }: { run: Run }) {
  const numbers = numberFormat(useReader());
  if (going === undefined) return isRunning ? <p className={classes.hint}>{t('Reading the rules…')}</p> : null;
  const { done, plan } = going;
  if (!(isRunning || isHalfWay) || plan.portions.length < 2) return null;
  const values = { done: numbers.format(done), count: numbers.format(plan.count) };
  return (
    <div>
      <Progress value={(done / plan.count) * 100} aria-label={t('Rules done')} />
      <p className={classes.hint} role="status">
        {isHalfWay && error === null
          ? t('Stopped at {done} of {count} rules', values)
          : t('{done} of {count} rules', values)}
      </p>
    </div>
  );
}

type SourcesProps = {
  reading: FileReading;
  pasted: string;
  choices: ImportChoices;
  disabled: boolean;
  onPaste: (text: string) => void;
  onChoices: (choices: ImportChoices) => void;
};

function Sources({ reading, pasted, choices, disabled, onPaste, onChoices }: SourcesProps) {
  return (
    <fieldset className={classes.sources} disabled={disabled}>
      <FileChoice reading={reading} disabled={disabled} />
      <Textarea
        label={t('Or paste rules')}
        description={t('YAML; several rules are separated by a line of three dashes.')}
        classNames={{ input: classes.yaml ?? '' }}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        maxLength={PASTED_CHARS}
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
