import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconFileTypePdf, IconLink, IconPlayerPlay, IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { caseMutations } from '../../../queries/cases.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { useReader, zoneNameOf } from '../../../ui/reader.ts';

const RunPlaybookDialog = lazy(() =>
  import('./run-playbook-dialog.tsx').then((module) => ({ default: module.RunPlaybookDialog })),
);

/** What is wanted less often than the next step. */
export function CaseMore({ of }: { of: CaseDetail }) {
  const tenantApi = useTenantApi();
  const reader = useReader();
  const { allowed } = useAccess('playbooks');
  const [running, setRunning] = useState(false);
  const exporting = useMutation(caseMutations.export(tenantApi, of));
  const writing = useMutation(
    caseMutations.pdf(tenantApi, of, { locale: reader.locale, time_zone: zoneNameOf(reader) }),
  );
  const link = new URL(`/air/case-management/${of.id}`, window.location.origin);
  link.searchParams.set('tenant', of.tenant);

  const copyLink = async () => {
    if (await copyText(link.href)) showDone(t('Link to {reference} copied', { reference: of.reference }));
  };

  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            aria-label={t('More for {reference}', { reference: of.reference })}
            loading={exporting.isPending || writing.isPending}
          >
            <IconDots size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {allowed ? (
            <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setRunning(true)}>
              {t('Run playbook…')}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void copyLink()}>
            {t('Copy link')}
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => exporting.mutate()}>
            {t('Export as JSON')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={() => writing.mutate()}>
            {t('Export as PDF')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            {t('Print')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {running ? (
        <Suspense fallback={null}>
          <RunPlaybookDialog of={of} onClose={() => setRunning(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
