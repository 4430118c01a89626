import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RecoveryCodes } from '../../../components/account/recovery-codes.tsx';
import { t } from '../../../language/translate.ts';

type Props = { codes: readonly string[]; email: string; onDone: () => void };

/** The codes this one time; goes on only when they are said to be kept. */
export function RecoveryCodesShown({ codes, email, onDone }: Props) {
  const [kept, setKept] = useState(false);
  return (
    <Stack gap="md">
      <Text size="sm">
        {t(
          'They sign you in when the authenticator app is not at hand. They are shown this one time; those you had before do not work any more.',
        )}
      </Text>
      <RecoveryCodes codes={codes} account={email} />
      <Checkbox
        label={t('I have saved them')}
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!kept}>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
