import { Button, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import { presentError } from '../lib/error-presentation.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './state-block.module.css';

type Props = { error: unknown; onRetry?: () => void; retrying?: boolean };

/** A failure in the place of what failed, while the rest of the screen stays: what happened, and a way on. */
export function ErrorState({ error, onRetry, retrying = false }: Props) {
  const shown = presentError(error);
  return (
    <div className={classes.root} role="alert">
      <Title order={2} className={classes.title}>
        {shown.title}
      </Title>
      <Text size="sm" c="dimmed" maw={480}>
        {shown.text}
      </Text>
      {shown.requestId === undefined ? null : (
        <div className={classes.facts}>
          <span className="air-mono">{shown.requestId}</span>
          <CopyButton value={shown.requestId} label={t('Copy request id')} />
        </div>
      )}
      {onRetry === undefined ? null : (
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onRetry} loading={retrying}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
