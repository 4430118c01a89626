import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconFlask,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { showError } from '../../../lib/toasts.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { notStartable } from '../start/not-startable.ts';
import { saveYaml } from './save-yaml.ts';

type DialogProps = { playbook: Playbook; onClose: () => void };
type DialogName = 'run' | 'try' | 'duplicate' | 'delete';

// Forms and dialogs load when somebody goes for them.
const StartDrawer = lazy(() => import('./start-drawer.tsx').then((module) => ({ default: module.StartDrawer })));
const TryDrawer = lazy(() => import('./start-drawer.tsx').then((module) => ({ default: module.TryDrawer })));
const DuplicateDialog = lazy(() =>
  import('./duplicate-dialog.tsx').then((module) => ({ default: module.DuplicateDialog })),
);
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((module) => ({ default: module.DeleteDialog })));

const dialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  run: StartDrawer,
  try: TryDrawer,
  duplicate: DuplicateDialog,
  delete: DeleteDialog,
};

/** What can be done with a playbook: run, try and edit it, and in the menu what is rarer. */
export function PlaybookActions({ playbook }: { playbook: Playbook }) {
  const { reason } = useAccess('playbooks');
  const [opened, setOpened] = useState<DialogName>();
  const blocked = reason ?? notStartable(playbook);
  const Opened = opened === undefined ? undefined : dialogs[opened];
  return (
    <>
      <MoreMenu playbook={playbook} onChoose={setOpened} />
      <Button
        renderRoot={(props) => <Link to="/playbooks/$id/edit" params={{ id: playbook.id }} {...props} />}
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
      >
        {t('Edit')}
      </Button>
      <GuardedButton
        variant="default"
        reason={blocked}
        aria-haspopup="dialog"
        leftSection={<IconFlask size={16} aria-hidden />}
        onClick={() => setOpened('try')}
      >
        {t('Try##playbook')}
      </GuardedButton>
      <GuardedButton
        reason={blocked}
        aria-haspopup="dialog"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={() => setOpened('run')}
      >
        {t('Run')}
      </GuardedButton>
      {Opened === undefined ? null : (
        <Suspense fallback={null}>
          <Opened playbook={playbook} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}

type MenuProps = { playbook: Playbook; onChoose: (dialog: DialogName) => void };

function MoreMenu({ playbook, onChoose }: MenuProps) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const exportYaml = async () => saveYaml(await queryClient.fetchQuery(playbookQueries.yaml(tenantApi, playbook.id)));
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('More for {name}', { name: playbook.metadata.name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => onChoose('duplicate')}>
          {t('Duplicate##verb')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => exportYaml().catch(showError)}>
          {t('Export YAML')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--air-critical)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onChoose('delete')}
        >
          {t('Delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
