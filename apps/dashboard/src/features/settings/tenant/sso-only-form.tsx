import { MultiSelect, Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { usePeople } from '../../../components/use-people.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { breakGlassOptions } from './break-glass.ts';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

const MOST = 10;

/** Closes the door of passwords, and names who may still use it. */
export function SsoOnlyForm() {
  const saved = useTenantSettings().sign_in;
  const [typed, setTyped] = useState('');
  const users = usePeople(typed);
  const save = useSettingsChange();
  // Only what was changed is sent, so that what a colleague saves meanwhile stays.
  const [draft, setDraft] = useState<Partial<typeof saved>>({});
  const formId = useId();
  const fields = { ...saved, ...draft };
  const dirty = JSON.stringify(fields) !== JSON.stringify(saved);
  const edit = (part: Partial<typeof saved>) => {
    setDraft({ ...draft, ...part });
    if (save.isError) save.reset();
  };
  const discard = () => {
    setDraft({});
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    save.mutate(
      { sign_in: draft },
      {
        onSuccess: () => {
          // What was typed meanwhile is the next change.
          setDraft((now) => (now === draft ? {} : now));
          showDone(t('Sign-in saved'));
        },
      },
    );
  };
  return (
    <form id={formId} onSubmit={submit} noValidate>
      <Panel title={t('Only through single sign-on')}>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <Switch
            label={t('People of this tenant sign in through single sign-on only')}
            checked={fields.sso_required}
            onChange={(event) => edit({ sso_required: event.currentTarget.checked })}
          />
          <Text size="sm" c="dimmed">
            {t(
              'Passwords and passkeys then open nothing here, except for the break-glass accounts below, and whoever came in another way is signed out. It needs a connection that is enabled and has a proved domain, and at least one break-glass account: for the day the issuer is down.',
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {t(
              'Whoever has not linked their account by then (profile, Other accounts) cannot sign in any more: remove and invite them again.',
            )}
          </Text>
          {!fields.sso_required || saved.unlinked_members === undefined || saved.unlinked_members === 0 ? null : (
            <Text size="sm" role="status">
              {plural(
                saved.unlinked_members,
                '{count} member has not linked an account and cannot sign in.',
                '{count} members have not linked an account and cannot sign in.',
              )}
            </Text>
          )}
          <MultiSelect
            label={t('Break-glass accounts')}
            description={t(
              'Admins with a password and an authenticator. Keep them few and watch them in the audit log.',
            )}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder={fields.break_glass.length === 0 ? t('None') : ''}
            data={breakGlassOptions(users.people, fields.break_glass)}
            value={fields.break_glass}
            onChange={(break_glass) => edit({ break_glass })}
            maxValues={MOST}
            searchable
            onSearchChange={setTyped}
            nothingFoundMessage={
              users.isError
                ? t('The users could not be loaded.')
                : users.isSearching
                  ? t('Searching…')
                  : t('No Admin of this tenant with an authenticator.')
            }
          />
        </Stack>
      </Panel>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}
