import { Button, Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { LibraryButton } from '../library/library-button.tsx';

const ImportDialog = lazy(() => import('./import-dialog.tsx').then((module) => ({ default: module.ImportDialog })));

/** How a playbook comes into being: copied from what the product ships, read from YAML, or built. */
export function ListActions() {
  const [importing, setImporting] = useState(false);
  return (
    <Group gap="xs">
      <LibraryButton />
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setImporting(true)}
      >
        {t('Import YAML')}
      </Button>
      <Button component={Link} to="/playbooks/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {t('New playbook')}
      </Button>
      {importing ? (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
    </Group>
  );
}
