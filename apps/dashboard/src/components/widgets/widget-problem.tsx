import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import { presentError } from '../../lib/error-presentation.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './widget.module.css';

type Props = { error: unknown; onRetry: () => void; retrying: boolean; name: string };

/** A failure in the room of one number. */
export function WidgetProblem({ error, onRetry, retrying, name }: Props) {
  const shown = presentError(error);
  return (
    <div className={classes.problem}>
      <p className={classes.problemWords}>
        <span>{shown.title}</span> <span className={classes.problemAdvice}>{shown.text}</span>
      </p>
      <span className={classes.problemActions}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onRetry}
          loading={retrying}
          aria-label={t('Try again: {name}', { name })}
        >
          {t('Try again')}
        </Button>
        {shown.requestId === undefined ? null : (
          <CopyButton value={shown.requestId} label={t('Copy request id of {name}', { name })} />
        )}
      </span>
    </div>
  );
}
