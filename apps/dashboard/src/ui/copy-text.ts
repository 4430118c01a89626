import { t } from '../language/translate.ts';
import { toasts } from '../lib/toasts.ts';

export const copyRefused = t('This browser did not let it be copied. Select it and copy it by hand.');

/** Puts a text on the clipboard. False where the browser refuses, or has none as on pages without encryption. */
export async function tryToCopy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The same, and a toast says so; only screens of the dashboard show one. */
export async function copyText(text: string): Promise<boolean> {
  const copied = await tryToCopy(text);
  if (!copied) toasts.add({ message: copyRefused, danger: true });
  return copied;
}
