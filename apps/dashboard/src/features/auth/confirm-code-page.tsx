import { Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAskedFor } from '../../components/entry/asked-for.ts';
import classes from '../../components/entry/entry.module.css';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { MAILED_CODE_DIGITS, MailedCodeField } from '../../components/entry/mailed-code-field.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver, handOver } from '../../session/handover.ts';

/** The mailed code of a password reset. */
export function ConfirmCodePage() {
  const { queryClient } = useApp();
  const askedFor = useAskedFor();
  const [email] = useState(() => handedOver(queryClient).email);
  if (email === undefined) {
    return (
      <EntryMessage
        title={t('Whose code is it?')}
        section={t('Confirm code')}
        text={t('The e-mail address is missing here. Ask for a code again; that takes a moment.')}
        to="/forgot-password"
        askedFor={askedFor}
        label={t('Ask for a code')}
      />
    );
  }
  return <ConfirmCode email={email} />;
}

function ConfirmCode({ email }: { email: string }) {
  const { identity, queryClient } = useApp();
  const navigate = useNavigate();
  const askedFor = useAskedFor();
  const [code, setCode] = useState('');
  const [sentAgain, setSentAgain] = useState(false);
  const { problem, busy, submit } = useSubmit();
  const check = (event: FormEvent) => {
    event.preventDefault();
    setSentAgain(false);
    void submit(async () => {
      await (await identity.account()).checkResetCode({ email, code });
      handOver(queryClient, { email, code });
      await navigate({ to: '/reset-password', search: askedFor, replace: true });
    });
  };
  const sendAgain = () =>
    submit(async () => {
      await (await identity.account()).requestPasswordReset(email);
      setCode('');
      setSentAgain(true);
    });
  return (
    <EntryCard
      title={t('Enter the code')}
      section={t('Confirm code')}
      text={t(
        'If {email} has an account here, a mail with a code is on its way. It is good for 10 minutes, in the browser you asked for it in.',
        {
          email,
        },
      )}
      mails
      foot={
        <Link to="/forgot-password" search={askedFor} preload={false}>
          {t('Use another address')}
        </Link>
      }
    >
      <form onSubmit={check}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          {sentAgain ? (
            <div className={classes.note} role="status">
              {t('A new code was sent. The earlier one does not work any more.')}
            </div>
          ) : null}
          <MailedCodeField value={code} onChange={setCode} autoFocus />
          <Button type="submit" fullWidth loading={busy} disabled={code.length !== MAILED_CODE_DIGITS}>
            {t('Continue')}
          </Button>
          <div>
            <button type="button" className={classes.linkButton} disabled={busy} onClick={() => void sendAgain()}>
              {t('Send a new code')}
            </button>
          </div>
        </Stack>
      </form>
    </EntryCard>
  );
}
