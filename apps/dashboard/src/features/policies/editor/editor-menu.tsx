import type { Policy } from '@airdeck/contracts/policies/schema';
import { ActionIcon, Menu } from '@mantine/core';
import { IconBuildings, IconCopy, IconDots, IconFileText, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { useMayPublish } from '../publish/use-may-publish.ts';
import { DeleteDialog } from './delete-dialog.tsx';

const SourceTextDialog = lazy(() =>
  import('./source-text-dialog.tsx').then((module) => ({ default: module.SourceTextDialog })),
);

const PublishDialog = lazy(() =>
  import('../publish/publish-dialog.tsx').then((module) => ({ default: module.PublishDialog })),
);

type Props = {
  policy: Policy;
  /** Whether something is typed that is not saved. */
  dirty: boolean;
};

/** What is done rarely with a policy. */
export function EditorMenu({ policy, dirty }: Props) {
  const mayPublish = useMayPublish();
  const [opened, setOpened] = useState<'delete' | 'source' | 'publish'>();
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t('More for {name}', { name: policy.rule.name })}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/air/policy-management/new" search={{ copy: policy.id }} {...props} />}
          >
            {t('Duplicate##verb')}
          </Menu.Item>
          {mayPublish ? (
            <Menu.Item leftSection={<IconBuildings size={16} aria-hidden />} onClick={() => setOpened('publish')}>
              {t('Publish to customers…')}
            </Menu.Item>
          ) : null}
          {policy.origin === 'sigma' ? (
            <Menu.Item leftSection={<IconFileText size={16} aria-hidden />} onClick={() => setOpened('source')}>
              {t('Rule as it was imported')}
            </Menu.Item>
          ) : null}
          <Menu.Divider />
          <Menu.Item
            color="var(--air-critical)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setOpened('delete')}
          >
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened === 'delete' ? <DeleteDialog policy={policy} onClose={() => setOpened(undefined)} /> : null}
      {opened === 'publish' ? (
        <Suspense fallback={null}>
          <PublishDialog policy={policy} dirty={dirty} onClose={() => setOpened(undefined)} />
        </Suspense>
      ) : null}
      {opened === 'source' ? (
        <Suspense fallback={null}>
          <SourceTextDialog policy={policy} onClose={() => setOpened(undefined)} />
        </Suspense>
      ) : null}
    </>
  );
}
