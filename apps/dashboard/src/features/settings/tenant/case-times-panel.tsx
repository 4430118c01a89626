import type { SlaSettings } from '@airdeck/contracts/cases/sla-settings';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { LoadAgain } from '../../../components/load-again.tsx';
import { personName } from '../../../components/person-name.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { severityLooks } from '../../../components/status-table.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { overwritten } from '../../../lib/rebased-fields.ts';
import { showDone } from '../../../lib/toasts.ts';
import { caseMutations, caseSettingQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import settingsClasses from '../settings.module.css';
import classes from './case-times.module.css';
import {
  type CaseTimes,
  rebasedTimes,
  type TimeKind,
  targetsOf,
  timeLabels,
  timeProblems,
  timesOf,
  timeWords,
} from './case-times.ts';

const kinds: readonly TimeKind[] = ['respond', 'resolve'];

/** From the first change on the settings are kept as they were then, so that the server sees whether somebody was faster. */
type Editing = {
  base: SlaSettings;
  times: CaseTimes;
  /** What the times were made from before they were loaded again. */
  before?: CaseTimes;
};

/** How fast cases are responded to and closed, by severity. */
export function CaseTimesPanel() {
  const tenantApi = useTenantApi();
  const { user } = useCurrentUser();
  const settings = useQuery(caseSettingQueries.sla(tenantApi));
  const save = useMutation(caseMutations.saveSla(tenantApi, useQueryClient()));
  const [editing, setEditing] = useState<Editing>();
  const [checked, setChecked] = useState(false);
  const formId = useId();
  if (settings.isError && settings.data === undefined) {
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} retrying={settings.isFetching} />;
  }
  if (settings.data === undefined) {
    return (
      <Loading label={t('Loading case times')}>
        <TextSkeleton lines={8} />
      </Loading>
    );
  }
  const { base, times } = editing ?? { base: settings.data, times: timesOf(settings.data) };
  const problems = timeProblems(times);
  const dirty = JSON.stringify(times) !== JSON.stringify(timesOf(base));
  const discard = () => {
    setEditing(undefined);
    setChecked(false);
    save.reset();
    void settings.refetch();
  };
  const reload = async () => {
    const { data: now, isError } = await settings.refetch();
    if (now === undefined || isError) return;
    // What is typed while it is read counts too.
    setEditing((typed) =>
      typed === undefined
        ? undefined
        : {
            base: now,
            times: rebasedTimes(timesOf(typed.base), typed.times, timesOf(now)),
            before: timesOf(typed.base),
          },
    );
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(problems).length > 0 || !dirty || save.isPending) return;
    save.mutate(
      { targets: targetsOf(times), based_on: base.updated_at },
      {
        onSuccess: (saved) => {
          // What was typed meanwhile is the next change.
          setEditing((now) =>
            now === undefined || now === editing
              ? undefined
              : { base: saved, times: rebasedTimes(times, now.times, timesOf(saved)) },
          );
          setChecked(false);
          showDone(t('Case times saved'));
        },
      },
    );
  };
  return (
    <form id={formId} onSubmit={submit} noValidate className={settingsClasses.stack}>
      <Panel title={t('Case times')}>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <LoadAgain
            error={save.error}
            reload={{ isPending: settings.isFetching, mutate: () => void reload() }}
            theirs={
              editing?.before === undefined
                ? undefined
                : overwritten(timeWords(editing.before), timeWords(times), timeWords(timesOf(base)))
            }
            by={base.updated_by === null ? undefined : personName(base.updated_by, user)}
          />
          <div className={classes.grid}>
            {caseSeverities.toReversed().map((severity) => {
              const { icon: Icon, color, word } = severityLooks[severity];
              return (
                <fieldset key={severity} className={classes.severity}>
                  <legend>
                    <Icon size={16} color={color} aria-hidden /> {word}
                  </legend>
                  {kinds.map((kind) => (
                    <TextInput
                      key={kind}
                      label={timeLabels[kind]}
                      maxLength={20}
                      placeholder={t('No target')}
                      value={times[severity][kind]}
                      error={checked ? problems[`${severity}/${kind}`] : undefined}
                      onChange={(event) => {
                        const { value } = event.currentTarget;
                        setEditing({
                          ...editing,
                          base,
                          times: { ...times, [severity]: { ...times[severity], [kind]: value } },
                        });
                        setChecked(false);
                      }}
                    />
                  ))}
                </fieldset>
              );
            })}
          </div>
          <Text size="sm" c="dimmed">
            {t(
              'Minutes, hours or days: 15 min, 4 h, 2 d. An empty field is no target. Counts for cases that open, or change their severity, from now on. The clock stands still while a case waits on the customer. People are warned when a quarter of the time is left; when nobody responds in time, the escalation of the contact directory is written to, one contact every 30 minutes.',
            )}
          </Text>
          {settings.data.updated_at === null || settings.data.updated_by === null ? null : (
            <Text size="sm" c="dimmed">
              {tx('Changed by {personName} {time}', {
                personName: personName(settings.data.updated_by, user),
                time: <RelativeTime time={settings.data.updated_at} />,
              })}
            </Text>
          )}
        </Stack>
      </Panel>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}
