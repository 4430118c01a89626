import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Tip } from './tip.tsx';

/** Copies a text; says so for a moment. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Tip label={clipboard.copied ? 'Copied' : label}>
      <ActionIcon size={24} aria-label={label} onClick={() => clipboard.copy(value)}>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tip>
  );
}
