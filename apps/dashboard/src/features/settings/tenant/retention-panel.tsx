import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import settingsClasses from '../settings.module.css';
import { daysProblem } from './retention-days.ts';
import classes from './tenant.module.css';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

/** How long events are kept. Each is stored with its days, so a change is only about those that come. */
export function RetentionPanel() {
  const { retention } = useTenantSettings();
  const save = useSettingsChange();
  const [draft, setDraft] = useState<string>();
  const [checked, setChecked] = useState(false);
  const formId = useId();
  const text = draft ?? String(retention.days);
  const problem = daysProblem(text, retention.plan_days);
  const dirty = text.trim() !== String(retention.days);

  const discard = () => {
    setDraft(undefined);
    setChecked(false);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem !== undefined || !dirty || save.isPending) return;
    save.mutate(
      { retention: { days: Number(text) } },
      {
        onSuccess: () => {
          // What was typed meanwhile is the next change.
          setDraft((now) => (now === draft ? undefined : now));
          showDone(t('Retention saved'));
        },
      },
    );
  };
  return (
    <form id={formId} onSubmit={submit} noValidate className={settingsClasses.stack}>
      <Panel title={t('Retention of events')}>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <TextInput
            className={classes.short ?? ''}
            label={t('Keep events for')}
            inputMode="numeric"
            maxLength={6}
            rightSection={<span className={classes.unit}>{t('days')}</span>}
            rightSectionWidth={48}
            description={t('1 to {plan_days} days: what the plan allows.', { plan_days: retention.plan_days })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={text}
            error={checked ? problem : undefined}
            onChange={(event) => {
              setDraft(event.currentTarget.value);
              setChecked(false);
            }}
          />
          <Text size="sm" c="dimmed">
            {t(
              'Counts for events that arrive from now on; those already stored keep the days they came with. After that they are deleted for good. Cases, runs and the audit log stay, whatever is set here. Search reaches back {search_days} days at most.',
              { search_days: retention.search_days },
            )}
          </Text>
        </Stack>
      </Panel>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}
