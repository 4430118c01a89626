import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';

type Props = { live: boolean; onChange: (live: boolean) => void };

/** Starts and ends watching what comes in. */
export function LiveButton({ live, onChange }: Props) {
  return (
    <Button
      variant={live ? 'light' : 'default'}
      leftSection={live ? <IconPlayerStop size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
      onClick={() => onChange(!live)}
    >
      {live ? 'Stop live tail' : 'Live tail'}
    </Button>
  );
}
