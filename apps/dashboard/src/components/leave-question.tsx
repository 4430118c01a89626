import { Button, Group, Stack, Text } from '@mantine/core';
import { t } from '../language/translate.ts';
import { Dialog } from '../ui/dialog.tsx';

type Props = { onLeave: () => void; onStay: () => void };

/** What was typed would be lost: leave all the same? */
export function LeaveQuestion({ onLeave, onStay }: Props) {
  return (
    <Dialog title={t('Leave without saving?')} size={420} closeLabel={t('Stay')} onClose={onStay}>
      <Stack gap="md">
        <Text size="sm">{t('What you changed on this screen is not saved yet and would be lost.')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onLeave}>
            {t('Leave')}
          </Button>
          <Button onClick={onStay} data-autofocus>
            {t('Stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
