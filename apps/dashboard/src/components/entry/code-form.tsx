import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { TextField } from '../../ui/text-field.tsx';
import { CODE_DIGITS, CodeBoxes } from './code-boxes.tsx';
import classes from './entry.module.css';

type Props = {
  code: string;
  busy: boolean;
  onChange: (code: string) => void;
  onSubmit: (code: string) => void;
  /** A recovery code instead; left out where there are none. */
  onRecoveryCode?: (code: string) => void;
  onBack: () => void;
  backLabel?: string;
};

/** Code of the authenticator app, sent by itself when the last digit is in, or a recovery code for those without it. */
export function CodeForm({ onRecoveryCode, ...props }: Props) {
  const [recovery, setRecovery] = useState(false);
  if (recovery && onRecoveryCode !== undefined) {
    return (
      <RecoveryForm
        busy={props.busy}
        onSubmit={onRecoveryCode}
        onBack={() => {
          setRecovery(false);
          props.onChange('');
        }}
      />
    );
  }
  return (
    <Stack gap="md">
      <AppCodeForm {...props} />
      {onRecoveryCode === undefined ? null : (
        <div>
          <button type="button" className={classes.linkButton} disabled={props.busy} onClick={() => setRecovery(true)}>
            {t('Use a recovery code')}
          </button>
        </div>
      )}
    </Stack>
  );
}

function AppCodeForm({ code, busy, onChange, onSubmit, onBack, backLabel }: Omit<Props, 'onRecoveryCode'>) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (code.length === CODE_DIGITS) onSubmit(code);
      }}
    >
      <Stack gap="md">
        <CodeBoxes code={code} busy={busy} onChange={onChange} onComplete={onSubmit} />
        <Group gap="xs">
          <Button type="submit" loading={busy} disabled={code.length !== CODE_DIGITS}>
            {t('Verify')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack} disabled={busy}>
            {backLabel ?? t('Use another account')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type RecoveryProps = { busy: boolean; onSubmit: (code: string) => void; onBack: () => void };

function RecoveryForm({ busy, onSubmit, onBack }: RecoveryProps) {
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(code.trim());
      }}
    >
      <Stack gap="md">
        <div>
          <TextField
            label={t('Recovery code')}
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            minLength={8}
            maxLength={80}
            value={code}
            onChange={setCode}
          />
          <div className={classes.help}>{t('One of those you saved with the authenticator. Each works once.')}</div>
        </div>
        <Group gap="xs">
          <Button type="submit" loading={busy}>
            {t('Verify')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack} disabled={busy}>
            {t('Use the app’s code')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
