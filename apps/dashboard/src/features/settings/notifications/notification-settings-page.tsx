import { ApiError } from '@airdeck/api-client/api-error';
import type { NotificationPreferences } from '@airdeck/contracts/notifications/schema';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { preferenceMutations } from '../../../queries/notification-preferences.ts';
import { useApp } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import classes from '../settings.module.css';
import { DeliveryFields } from './delivery-fields.tsx';
import { KindsTable } from './kinds-table.tsx';
import { changeOf, isNothing, type PreferenceProblems, problemsOf, withChange } from './preferences.ts';
import { SlackPanel } from './slack-panel.tsx';

const PATH = 'body.notification_preferences.';

/** What was typed, and what was saved then: what differs is laid over what is saved now, perhaps from another tab. */
type Draft = { readonly from: NotificationPreferences; readonly to: NotificationPreferences };

/** What one is told about, through which channels, and when. */
export function NotificationSettingsPage() {
  const { api, queryClient } = useApp();
  const saved = useCurrentUser().user.notification_preferences;
  const [draft, setDraft] = useState<Draft>();
  const [problems, setProblems] = useState<PreferenceProblems>({});
  const save = useMutation(preferenceMutations.save(api, queryClient));
  const formId = useId();
  const preferences = draft === undefined ? saved : withChange(saved, changeOf(draft.from, draft.to));
  const change = changeOf(saved, preferences);
  const dirty = !isNothing(change);
  const refused = refusedFields(save.error);

  const edit = (next: NotificationPreferences) => {
    setDraft({ from: saved, to: next });
    setProblems({});
    if (save.isError) save.reset();
  };
  const discard = () => {
    setDraft(undefined);
    setProblems({});
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(preferences);
    setProblems(found);
    if (Object.keys(found).length > 0 || !dirty || save.isPending) return;
    save.mutate(
      { change, whole: preferences },
      {
        onSuccess: () => {
          // What was typed meanwhile is the next change, counted from what was sent: also what was switched back.
          setDraft((now) => (now === draft || now === undefined ? undefined : { from: preferences, to: now.to }));
          showDone(t('Notifications saved'));
        },
      },
    );
  };

  return (
    <>
      <PageHeader
        title={t('Notifications')}
        purpose={t('What you are told about, and where. The same in all your tenants.')}
      />
      <div className={classes.stack}>
        <form id={formId} onSubmit={submit} noValidate className={classes.stack}>
          {refused === undefined ? <ProblemNote error={save.error} /> : null}
          <Panel title={t('What to be told about')} flush>
            <KindsTable preferences={preferences} onChange={edit} />
          </Panel>
          <DeliveryFields
            preferences={preferences}
            saved={saved}
            problems={{ ...problems, ...refused }}
            onChange={edit}
          />
        </form>
        <SlackPanel isWanted={Object.values(preferences.kinds).some(({ slack }) => slack)} />
        <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
        <LeaveGuard dirty={dirty} />
      </div>
    </>
  );
}

/** What the server says about single fields; undefined when it is about none of those shown. */
function refusedFields(error: unknown): PreferenceProblems | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const of = (name: string) => error.details.find(({ path }) => path.startsWith(`${PATH}${name}`))?.message;
  const [webhook_url, quiet_hours] = [of('webhook_url'), of('quiet_hours')];
  if (webhook_url === undefined && quiet_hours === undefined) return undefined;
  return {
    ...(webhook_url === undefined ? {} : { webhook_url }),
    ...(quiet_hours === undefined ? {} : { quiet_hours }),
  };
}
