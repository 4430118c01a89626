import { Button, VisuallyHidden } from '@mantine/core';
import { IconFiles, IconFolder } from '@tabler/icons-react';
import { useRef } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { chosenByDialog, chosenByDrop } from './chosen-files.ts';
import classes from './import.module.css';
import { useFileDrop } from './use-file-drop.ts';
import type { FileReading } from './use-file-reading.ts';

const SHOWN_LEFT_OUT = 5;

/** Phones have no folders to choose. */
const canChooseFolders = () => 'webkitdirectory' in HTMLInputElement.prototype;

type Props = { reading: FileReading; disabled: boolean };

/**
 * Rules as files, archives or folders, chosen or dropped anywhere on the page; they are read here, and sent only when
 * somebody checks or imports them.
 */
export function FileChoice({ reading, disabled }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const isOver = useFileDrop((dropped) => {
    if (!disabled) reading.take(chosenByDrop(dropped));
  });
  const choose = (input: HTMLInputElement) => {
    const picked = chosenByDialog(input.files ?? []);
    // The same file may be chosen again, once it was corrected.
    input.value = '';
    if (picked.length > 0) reading.take(Promise.resolve(picked));
  };
  return (
    <div className={classes.files} data-over={(isOver && !disabled) || undefined}>
      <div className={classes.choice}>
        <input
          ref={files}
          type="file"
          multiple
          accept=".yml,.yaml,.zip,application/zip"
          aria-label={t('Sigma rules as files')}
          hidden
          onChange={(event) => choose(event.currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          {...{ webkitdirectory: '' }}
          aria-label={t('Sigma rules as a folder')}
          hidden
          onChange={(event) => choose(event.currentTarget)}
        />
        <Button
          variant="default"
          disabled={disabled}
          leftSection={<IconFiles size={16} aria-hidden />}
          onClick={() => files.current?.click()}
        >
          {t('Choose files')}
        </Button>
        {canChooseFolders() ? (
          <Button
            variant="default"
            disabled={disabled}
            leftSection={<IconFolder size={16} aria-hidden />}
            onClick={() => folder.current?.click()}
          >
            {t('Choose a folder')}
          </Button>
        ) : null}
        <span className={classes.hint}>{t('or drop them here: YAML files, folders, zip archives')}</span>
      </div>
      <Taken reading={reading} />
    </div>
  );
}

/** What is being read, or was. */
function Taken({ reading: { read, progress } }: { reading: FileReading }) {
  const numbers = numberFormat(useReader());
  if (progress !== undefined) {
    return (
      <p className={classes.hint}>
        {/* Said once: thousands of numbers would be read out one by one. */}
        <VisuallyHidden role="status">{t('Reading…')}</VisuallyHidden>
        <span aria-hidden>
          {progress.count < 2
            ? t('Reading…')
            : t('{done} of {count} files read', {
                done: numbers.format(progress.done),
                count: numbers.format(progress.count),
              })}
        </span>
      </p>
    );
  }
  if (read === undefined) return null;
  const { files, leftOut, others } = read;
  return (
    <>
      <p className={classes.hint} role="status">
        <span>{plural(files.length, '{count} file', '{count} files')}</span>
        {others === 0
          ? null
          : ` · ${plural(others, '{count} other in the folder is no rule', '{count} others in the folder are no rules')}`}
      </p>
      {leftOut.length === 0 ? null : (
        <ul className={classes.leftOut} aria-label={t('Left out')}>
          {leftOut.slice(0, SHOWN_LEFT_OUT).map(({ name, reason }) => (
            <li key={`${name} ${reason}`}>{t('{name}: {reason}', { name, reason })}</li>
          ))}
          {leftOut.length > SHOWN_LEFT_OUT ? (
            <li>{t('and {count} more', { count: leftOut.length - SHOWN_LEFT_OUT })}</li>
          ) : null}
        </ul>
      )}
    </>
  );
}
