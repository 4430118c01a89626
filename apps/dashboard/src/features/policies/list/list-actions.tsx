import { Button, Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';

const ImportDialog = lazy(() =>
  import('../import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

/** How a policy comes into being: imported or written. Absent for those who may not change any. */
export function ListActions() {
  const { allowed } = useAccess('airAutomation');
  if (!allowed) return null;
  return (
    <Group gap="xs">
      <ImportButton />
      <Button component={Link} to="/air/policy-management/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {t('New policy')}
      </Button>
    </Group>
  );
}

export function ImportButton() {
  const [importing, setImporting] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setImporting(true)}
      >
        {t('Import Sigma')}
      </Button>
      {importing ? (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
