import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';

type Props = { live: boolean; onChange: (live: boolean) => void };

/** Starts and ends watching what comes in. */
export function LiveButton({ live, onChange }: Props) {
  return (
    <Button
      variant={live ? 'light' : 'default'}
      leftSection={live ? <IconPlayerStop size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
      onClick={() => onChange(!live)}
    >
      {live ? t('Stop live tail') : t('Live tail')}
    </Button>
  );
}
