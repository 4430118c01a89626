import { t } from '../language/translate.ts';
import { toasts } from '../lib/toasts.ts';

/** Puts a text on the clipboard. False where the browser refuses, or has none as on pages without encryption; a toast says so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toasts.add({
      message: t('This browser did not let it be copied. Select it and copy it by hand.'),
      danger: true,
    });
    return false;
  }
}
