import { mutationOptions } from '@tanstack/react-query';
import { saveFile } from '../lib/save-file.ts';

/** How long a file that is made while it is waited for may take. */
export const FILE_TIMEOUT_MS = 60_000;

type Named = { readonly file: Blob; readonly name: string };

/** Fetches a file and hands it to the browser, also when the screen that asked for it was left meanwhile. */
export function fileMutation<Wanted = void>(fetchFile: (wanted: Wanted) => Promise<Named>) {
  return mutationOptions({
    mutationFn: fetchFile,
    onSuccess: ({ file, name }) => saveFile(file, name),
    // The file is the browser's now.
    gcTime: 0,
  });
}
