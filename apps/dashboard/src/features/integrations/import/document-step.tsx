import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { Button, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { importMutations } from '../../../queries/openapi.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { documentProblem, sizeText } from './document-source.ts';
import classes from './import.module.css';
import { ReadingNote } from './reading-note.tsx';

const EXAMPLE = 'openapi: 3.1.0\ninfo:\n  title: …';

/** Takes a description as a file or as text, and has it read. */
export function DocumentStep({ onRead }: { onRead: (document: OpenapiDocument) => void }) {
  const reading = useReading(onRead);
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) reading.read(file, file.name);
  };
  return (
    <div className={classes.narrow}>
      <Panel title={t('Upload the description')}>
        <div className={classes.form}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside */}
          <div
            className={classes.drop}
            data-over={isOver || undefined}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <FileButton busy={reading.busy} onFile={(file) => reading.read(file, file.name)} />
            <span className={classes.faint}>
              {t('or drop it here. OpenAPI 3 or Swagger 2, as JSON or YAML, up to 5 MB.')}
            </span>
          </div>
          {reading.what === undefined ? null : <ReadingNote what={reading.what} onCancel={reading.cancel} />}
          {reading.problem === undefined ? null : (
            <p className={classes.problem} role="alert">
              {reading.problem}
            </p>
          )}
          <ProblemNote error={reading.error} />
        </div>
      </Panel>
      <Panel title={t('Or paste it')}>
        <div className={classes.form}>
          <Textarea
            aria-label={t('Description as JSON or YAML')}
            placeholder={EXAMPLE}
            classNames={{ input: 'air-mono' }}
            rows={8}
            resize="vertical"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <GuardedButton
            className={classes.end ?? ''}
            variant="default"
            reason={text.trim() === '' ? t('Paste a description first.') : undefined}
            loading={reading.busy}
            onClick={() => reading.read(new Blob([text]), undefined)}
          >
            {t('Read the text')}
          </GuardedButton>
        </div>
      </Panel>
    </div>
  );
}

function FileButton({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // The same file again, once it is corrected, is a change, too.
    event.currentTarget.value = '';
    if (file !== undefined) onFile(file);
  };
  return (
    <>
      <Button leftSection={<IconUpload size={16} aria-hidden />} loading={busy} onClick={() => input.current?.click()}>
        {t('Choose a file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('Description of the API')}
        accept=".json,.yaml,.yml,application/json,application/yaml,text/yaml"
        onChange={chosen}
      />
    </>
  );
}

/** Has one document read at a time; it can be broken off, and is when the screen is left. */
function useReading(onRead: (document: OpenapiDocument) => void) {
  const upload = useMutation(importMutations.read(useTenantApi()));
  const current = useRef<AbortController>(undefined);
  const [what, setWhat] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => () => current.current?.abort(), []);

  /** Without a name it is the text that was pasted. */
  function read(content: Blob, name: string | undefined): void {
    if (upload.isPending) return;
    upload.reset();
    const found = documentProblem(content);
    setProblem(found);
    if (found !== undefined) return;
    const controller = new AbortController();
    current.current = controller;
    const size = sizeText(content.size);
    setWhat(name === undefined ? t('Reading the text, {size}', { size }) : t('Reading {name}, {size}', { name, size }));
    upload.mutate(
      { content, signal: controller.signal },
      { onSuccess: (document) => (controller.signal.aborted ? undefined : onRead(document)) },
    );
  }

  return {
    read,
    busy: upload.isPending,
    what: upload.isPending ? what : undefined,
    problem,
    error: upload.error,
    cancel: () => {
      current.current?.abort();
      upload.reset();
    },
  };
}
