import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { type CloseReason, closeReasons } from '@airdeck/contracts/statuses';
import { Button, Group, NativeSelect, Radio, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import { CaseProblemNote } from './case-problem-note.tsx';
import { closeReasonWords } from './close-reasons.ts';
import type { CaseUpdater } from './use-case-update.ts';

const suppressions = [
  { value: '', label: t('No') },
  { value: '1', label: t('For a day') },
  { value: '7', label: t('For 7 days') },
  { value: '30', label: t('For 30 days') },
  { value: '90', label: t('For 90 days') },
];

type Props = { of: CaseDetail; updater: CaseUpdater; onClose: () => void };

/** Closing needs a reason; a comment may go with it. */
export function CloseDialog({ of, updater, onClose }: Props) {
  const [reason, setReason] = useState<CloseReason>();
  const [comment, setComment] = useState('');
  const [missing, setMissing] = useState(false);
  const { form, refuse } = useRefusal();
  const [days, setDays] = useState('');
  // Not the moment of the press: pressed again after a lost answer, it is the same change that is asked for.
  const [openedMs] = useState(() => Date.now());
  // What a colleague does while it is open is told by a refusal, not closed over their head.
  const [seen, setSeen] = useState(of);
  const maySuppress = reason === 'false_positive' && of.policy_id !== null;
  const busy = updater.pending !== undefined;
  const isClosed = of.alert_status === 'closed';
  const running = of.alert_responses.filter(({ status }) => ['pending', 'waiting', 'running'].includes(status));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason === undefined) {
      setMissing(true);
      return refuse();
    }
    const note = comment.trim();
    const closed = await updater.update(
      {
        alert_status: 'closed',
        close_reason: reason,
        ...(note === '' ? {} : { comment: note }),
        ...(maySuppress && days !== '' ? { suppress_until: daysAfter(openedMs, Number(days)) } : {}),
      },
      t('{reference} closed as {reason}', {
        reference: of.reference,
        reason: closeReasonWords[reason].label.toLowerCase(),
      }),
      { seen, onConflict: setSeen },
    );
    // Refused, the dialog stays with what was written and says what changed.
    if (closed) onClose();
  };

  return (
    <FormDialog
      title={
        isClosed
          ? t('Change the reason of {reference}', { reference: of.reference })
          : t('Close {reference}', { reference: of.reference })
      }
      size={480}
      dirty={reason !== undefined || comment.trim() !== ''}
      busy={busy}
      onClose={onClose}
    >
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {updater.problem === undefined ? null : (
            <CaseProblemNote problem={updater.problem} onDismiss={updater.dismissProblem} />
          )}
          {isClosed && seen.alert_status !== 'closed' && updater.problem === undefined ? (
            <Text size="sm" role="status">
              {t('This case was closed meanwhile. What you choose here would take the place of that reason.')}
            </Text>
          ) : null}
          <Radio.Group
            label={t('Why is it closed?')}
            value={reason ?? ''}
            onChange={(value) => {
              setReason(closeReasons.find((each) => each === value));
              setMissing(false);
            }}
            errorProps={{ mt: 8 }}
            error={missing ? t('Choose why the case is closed.') : undefined}
          >
            <Stack gap={10} mt={8}>
              {closeReasons.map((value, index) => (
                <Radio
                  key={value}
                  value={value}
                  size="sm"
                  label={closeReasonWords[value].label}
                  description={closeReasonWords[value].help}
                  data-autofocus={index === 0 || undefined}
                />
              ))}
            </Stack>
          </Radio.Group>
          {maySuppress ? (
            <NativeSelect
              label={t('Suppress the same')}
              description={t(
                'The policy opens no case for these values until then. What runs is listed under Suppressed.',
              )}
              value={days}
              data={suppressions}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
          ) : null}
          <Textarea
            label={t('Comment')}
            description={t('Optional; it becomes part of the story.')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={limits.commentMax}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          {running.length === 0 ? null : (
            <Text size="sm" c="dimmed">
              {plural(
                running.length,
                'A response is still running or waiting. Closing the case does not stop it.',
                '{count} responses are still running or waiting. Closing the case does not stop them.',
              )}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {isClosed ? t('Change the reason') : t('Close case')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

function daysAfter(momentMs: number, days: number): string {
  return new Date(momentMs + days * 24 * 3_600_000).toISOString();
}
