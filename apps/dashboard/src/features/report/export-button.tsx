import { IconFileExport } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../language/translate.ts';
import type { ExportBody } from '../../queries/search-reports.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';

const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })));

type Search = Omit<ExportBody, 'name' | 'format'>;

/** On the search screen: has what is searched for written to a file. */
export function ExportButton({ search }: { search: Search | undefined }) {
  // What was on the screen when it was asked for, whatever the screen does behind the dialog.
  const [exported, setExported] = useState<Search>();
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<IconFileExport size={16} aria-hidden />}
        aria-haspopup="dialog"
        reason={search === undefined ? t('This search cannot be asked yet.') : undefined}
        onClick={() => setExported(search)}
      >
        {t('Export')}
      </GuardedButton>
      {exported === undefined ? null : (
        <Suspense fallback={null}>
          <ExportDialog search={exported} onClose={() => setExported(undefined)} />
        </Suspense>
      )}
    </>
  );
}
