import { ActionIcon, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { QueryKey } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
import { Tip } from '../../ui/tip.tsx';
import { type Link, type LinkQuery, useLink } from './use-link.ts';

type Props<L extends Link, K extends QueryKey> = { name: string; link: LinkQuery<L, K>; compact?: boolean };

/** Asks for a link to the file and follows it. */
export function FileLinkButton<L extends Link, K extends QueryKey>({
  name,
  link: query,
  compact = false,
}: Props<L, K>) {
  const link = useLink(query);
  if (!compact) {
    return (
      <Button leftSection={<IconDownload size={16} aria-hidden />} loading={link.isFetching} onClick={link.follow}>
        {t('Download')}
      </Button>
    );
  }
  return (
    <Tip label={t('Download')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Download {name}', { name })}
        loading={link.isFetching}
        onClick={link.follow}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tip>
  );
}
