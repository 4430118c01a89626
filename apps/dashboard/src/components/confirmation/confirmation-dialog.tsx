import { ApiError, isRefusedWith } from '@airdeck/api-client/api-error';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useRefusal } from '../../ui/use-refusal.ts';
import { ProblemNote } from '../problem-note.tsx';
import classes from './confirmation.module.css';
import type { ConfirmationDialog } from './dialog-queue.ts';
import { useAnswer } from './use-answer.ts';

/** The server's question: what will happen, to whom, and what has to be typed if anything. */
export function ConfirmationDialogView({ dialog }: { dialog: ConfirmationDialog }) {
  const [question, setQuestion] = useState(dialog.confirmation);
  const [passphrase, setPassphrase] = useState('');
  const [missing, setMissing] = useState(false);
  const { busy, problem, answer } = useAnswer(dialog.submit);
  const { form, refuse } = useRefusal(problem);
  const { passphrase_hint: hint } = question;
  const isWrong = isRefusedWith(problem, 'CONFIRMATION_WRONG');
  const isAskedAnew = problem instanceof ApiError && problem.confirmation !== undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (hint !== undefined && passphrase.trim() === '') {
      setMissing(true);
      return refuse();
    }
    const failure = await answer(hint === undefined ? undefined : passphrase.trim());
    if (failure instanceof ApiError && failure.confirmation !== undefined) setQuestion(failure.confirmation);
  };

  return (
    <Dialog title={question.title} onClose={dialog.leave}>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" className={classes.text ?? ''}>
            {question.text}
          </Text>
          {isAskedAnew ? (
            <Text size="sm" role="alert">
              {t(
                'The question was asked too long ago, or something changed in the meantime. Read it again and confirm.',
              )}
            </Text>
          ) : null}
          {isWrong || isAskedAnew ? null : <ProblemNote error={problem} />}
          {hint === undefined ? null : (
            <TextInput
              label={hint}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={300}
              value={passphrase}
              error={
                isWrong ? problem.message : missing && passphrase.trim() === '' ? t('Type it to go on.') : undefined
              }
              onChange={(event) => setPassphrase(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <Group justify="flex-end" gap="xs">
            {/* Focused where there is nothing to type: a repeated Enter must not confirm what nobody has read. */}
            <Button
              variant="default"
              onClick={dialog.leave}
              disabled={busy}
              data-autofocus={hint === undefined || undefined}
            >
              {t('Cancel')}
            </Button>
            {/* The server asks only before what cannot be taken back. */}
            <Button type="submit" loading={busy} className={classes.danger ?? ''}>
              {question.action_label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
