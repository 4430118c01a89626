import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './detail.module.css';
import { saveYaml } from './save-yaml.ts';

/** A playbook as the text it is exported as. */
export function YamlView({ id }: { id: string }) {
  const exported = useQuery(playbookQueries.yaml(useTenantApi(), id));
  if (exported.data === undefined) {
    return (
      <Panel>
        {exported.isError ? (
          <ErrorState error={exported.error} onRetry={() => void exported.refetch()} retrying={exported.isFetching} />
        ) : (
          <Loading label={t('Loading YAML')}>
            <TextSkeleton lines={12} />
          </Loading>
        )}
      </Panel>
    );
  }
  const { data } = exported;
  return (
    <Panel
      flush
      title={data.file_name}
      aside={
        <span className={classes.yamlActions}>
          <CopyButton value={data.yaml} label={t('Copy YAML')} />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => saveYaml(data)}
          >
            {t('Download')}
          </Button>
        </span>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.yaml} aria-label={t('YAML of this playbook')} tabIndex={0}>
        <pre>{data.yaml}</pre>
      </section>
    </Panel>
  );
}
