import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { Button, Tabs } from '@mantine/core';
import { IconExternalLink, IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { VersionBadge } from '../definition/version-badge.tsx';
import { StartPanel } from '../start/start-panel.tsx';
import { AboutPlaybook } from './about-playbook.tsx';
import classes from './list.module.css';
import { type DrawerPart, drawerParts } from './playbooks-search.ts';
import { RecentRuns } from './recent-runs.tsx';

type Props = {
  id: string;
  opened: boolean;
  part: DrawerPart;
  onPart: (part: DrawerPart) => void;
  onClose: () => void;
};

const labels: Readonly<Record<DrawerPart, string>> = { about: t('About'), run: t('Run'), runs: t('Recent runs') };

/** One playbook beside the list: what it does, to run it, and how it went. */
export function PlaybookDrawer({ id, opened, onClose, ...rest }: Props) {
  const playbook = useQuery(playbookQueries.detail(useTenantApi(), useQueryClient(), id));
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        playbook.data === undefined ? (
          t('Playbook')
        ) : (
          <span className={classes.drawerHead}>
            {playbook.data.metadata.name}
            <VersionBadge playbook={playbook.data} />
          </span>
        )
      }
    >
      {playbook.data !== undefined ? (
        // Another playbook starts with its own inputs.
        <Content key={id} playbook={playbook.data} {...rest} />
      ) : playbook.isError ? (
        <ErrorState error={playbook.error} onRetry={() => void playbook.refetch()} retrying={playbook.isFetching} />
      ) : (
        <Loading label={t('Loading playbook')}>
          <TextSkeleton lines={8} />
        </Loading>
      )}
    </SidePanel>
  );
}

type ContentProps = Pick<Props, 'part' | 'onPart'> & { playbook: Playbook };

function Content({ playbook, part, onPart }: ContentProps) {
  const params = { id: playbook.id };
  return (
    <>
      <div className={classes.buttons}>
        <Button
          renderRoot={(props) => <Link to="/playbooks/$id" params={params} {...props} />}
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('Open')}
        </Button>
        <Button
          renderRoot={(props) => <Link to="/playbooks/$id/edit" params={params} {...props} />}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t('Edit')}
        </Button>
      </div>
      <Tabs
        mt="md"
        value={part}
        onChange={(value) => {
          const chosen = drawerParts.find((each) => each === value);
          if (chosen !== undefined) onPart(chosen);
        }}
      >
        <Tabs.List>
          {drawerParts.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="about" className={classes.sections ?? ''}>
          <AboutPlaybook playbook={playbook} />
        </Tabs.Panel>
        {/* Kept while another part shows: what was typed must not be lost. */}
        <Tabs.Panel value="run" className={classes.sections ?? ''}>
          <StartPanel playbook={playbook} leaveParam="action" />
        </Tabs.Panel>
        <Tabs.Panel value="runs" keepMounted={false} className={classes.sections ?? ''}>
          <RecentRuns playbookId={playbook.id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
