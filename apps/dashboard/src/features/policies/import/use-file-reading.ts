import { useEffect, useRef, useState } from 'react';
import { t } from '../../../language/translate.ts';
import type { ChosenFile } from './chosen-files.ts';
import { type FilesRead, readFiles } from './read-files.ts';

export type FileReading = {
  /** What was read last. */
  readonly read: FilesRead | undefined;
  /** Of what is being read now. */
  readonly progress: { done: number; count: number } | undefined;
  /** Reads what was chosen, in place of what was chosen before. */
  readonly take: (picked: Promise<readonly ChosenFile[]>) => void;
};

/** Reads chosen files; `onRead` is told before they show. Left, it stops. */
export function useFileReading(onRead: () => void): FileReading {
  const [read, setRead] = useState<FilesRead>();
  const [progress, setProgress] = useState<FileReading['progress']>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const take = async (picked: Promise<readonly ChosenFile[]>) => {
    leaving.current?.abort();
    const own = new AbortController();
    leaving.current = own;
    setProgress({ done: 0, count: 0 });
    const answer = await readAll(picked, own.signal, (done, count) => setProgress({ done, count }));
    if (own.signal.aborted) return;
    setProgress(undefined);
    onRead();
    setRead(answer);
  };
  return { read, progress, take: (picked) => void take(picked) };
}

async function readAll(
  picked: Promise<readonly ChosenFile[]>,
  signal: AbortSignal,
  onProgress: (done: number, count: number) => void,
): Promise<FilesRead> {
  try {
    return await readFiles(await picked, { signal, onProgress });
  } catch {
    // A folder the browser may not look into, or what was read last of one that is not wanted any more.
    return { files: [], leftOut: [{ name: t('This folder'), reason: t('Cannot be read') }], others: 0 };
  }
}
