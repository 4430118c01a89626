import { Button } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import classes from './import.module.css';
import { type FilesRead, readFiles } from './read-files.ts';

const SHOWN_LEFT_OUT = 5;

type Props = { chosen: FilesRead | undefined; onFiles: (read: FilesRead) => void };

/** Chooses rules as files or archives; they are read here, and sent only when somebody checks or imports them. */
export function FileChoice({ chosen, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState(false);
  const take = async (files: File[]) => {
    if (files.length === 0) return;
    setReading(true);
    try {
      onFiles(await readFiles(files));
    } finally {
      setReading(false);
    }
  };
  const count = chosen?.files.length ?? 0;
  const leftOut = chosen?.leftOut ?? [];
  return (
    <div>
      <div className={classes.choice}>
        <input
          ref={input}
          type="file"
          multiple
          accept=".yml,.yaml,.zip,application/zip"
          aria-label={t('Sigma rules as files')}
          hidden
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])]);
            // The same file may be chosen again, once it was corrected.
            event.currentTarget.value = '';
          }}
        />
        <Button
          variant="default"
          loading={reading}
          leftSection={<IconFiles size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t('Choose files')}
        </Button>
        <span className={classes.hint}>
          {chosen === undefined ? t('YAML files or zip archives') : plural(count, '{count} file', '{count} files')}
        </span>
      </div>
      {leftOut.length === 0 ? null : (
        <ul className={classes.leftOut} aria-label={t('Left out')}>
          {leftOut.slice(0, SHOWN_LEFT_OUT).map((words) => (
            <li key={words}>{words}</li>
          ))}
          {leftOut.length > SHOWN_LEFT_OUT ? (
            <li>{t('and {count} more', { count: leftOut.length - SHOWN_LEFT_OUT })}</li>
          ) : null}
        </ul>
      )}
    </div>
  );
}
