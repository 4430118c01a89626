import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './tenant.module.css';

type Props = {
  setAt: string | null;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
};

/** The client secret: written, never read. */
export function SsoSecretField({ setAt, value, problem, onChange }: Props) {
  const [replacing, setReplacing] = useState(false);
  if (setAt !== null && !replacing && problem === undefined) {
    return (
      <div>
        <div className={classes.fieldName}>{t('Client secret')}</div>
        <div className={classes.secretSet}>
          <span>{tx('Set {time}', { time: <RelativeTime time={setAt} /> })}</span>
          <Button variant="default" size="compact-sm" onClick={() => setReplacing(true)}>
            {t('Replace')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <PasswordInput
      label={t('Client secret')}
      description={
        setAt === null
          ? t('Stored encrypted, and never shown again.')
          : t('Takes the place of the stored one. Empty keeps it.')
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="new-password"
      maxLength={1000}
      value={value}
      error={problem}
      aria-invalid={problem !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
