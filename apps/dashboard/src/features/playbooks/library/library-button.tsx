import { Button } from '@mantine/core';
import { IconBooks } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';

const LibraryDialog = lazy(() => import('./library-dialog.tsx').then((module) => ({ default: module.LibraryDialog })));

/** Opens what the product ships. `main` where it is the first thing to do. */
export function LibraryButton({ main = false }: { main?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={main ? 'filled' : 'default'}
        leftSection={<IconBooks size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('From the library')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <LibraryDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
