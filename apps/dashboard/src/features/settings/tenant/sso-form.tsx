import { ApiError } from '@airdeck/api-client/api-error';
import { type SsoConnection, ssoKinds } from '@airdeck/contracts/settings/schema';
import { Button, Group, NativeSelect, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { useUnsaved } from '../../../components/form-panel.tsx';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useRebasedForm } from '../../../lib/use-rebased-form.ts';
import { settingsQueries, ssoMutations } from '../../../queries/settings.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settingsClasses from '../settings.module.css';
import {
  issuerHints,
  type SsoFields,
  type SsoProblems,
  serverSsoProblems,
  ssoFieldsOf,
  ssoInputOf,
  ssoKindWords,
  ssoProblemsOf,
  ssoWords,
} from './sso-fields.ts';
import { SsoJoinFields } from './sso-join-fields.tsx';
import { SsoSecretField } from './sso-secret-field.tsx';
import classes from './tenant.module.css';

type Props = {
  /** The one to change; undefined adds one. */
  connection: SsoConnection | undefined;
  /** The same for all connections; not known before the first one is saved. */
  redirectUri: string | undefined;
  onUnsaved: (unsaved: boolean) => void;
  onSaved: (saved: SsoConnection) => void;
  onClose: () => void;
};

/** Adds or changes a connection. */
export function SsoForm({ connection, redirectUri, onUnsaved, onSaved, onClose }: Props) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const save = useMutation(ssoMutations.save(tenantApi, queryClient, useCallIntent()));
  const form = useRebasedForm({
    current: connection,
    fieldsOf: ssoFieldsOf,
    wordsOf: ssoWords,
    read: async (before) => {
      const list = await queryClient.fetchQuery({ ...settingsQueries.connections(tenantApi), staleTime: 0 });
      return list.find(({ id }) => id === before?.id);
    },
    save,
  });
  const { base, fields } = form;
  const refusal = useRefusal(save.error);
  const [problems, setProblems] = useState<SsoProblems>({});
  useUnsaved(form.isTyped, onUnsaved);
  const refused = save.error instanceof ApiError ? serverSsoProblems(save.error.details) : {};
  const shown = { ...refused, ...problems };
  const address = connection?.redirect_uri ?? redirectUri;
  const edit = (part: Partial<SsoFields>) => {
    form.edit(part);
    setProblems({});
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = ssoProblemsOf(fields, base);
    setProblems(found);
    if (Object.keys(found).length > 0) return refusal.refuse();
    if (save.isPending) return;
    save.mutate(
      { id: base?.id, body: ssoInputOf(fields), ...(base === undefined ? {} : { updated_at: base.updated_at }) },
      {
        onSuccess: (saved) => {
          showDone(t('Connection saved'));
          onSaved(saved);
          // The address for the issuer is only known now, so a first connection stays open to copy it.
          if (address !== undefined) onClose();
        },
      },
    );
  };
  return (
    <form ref={refusal.form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {Object.keys(refused).length === 0 ? <ProblemNote error={save.error} /> : null}
        <LoadAgain error={save.error} reload={form.reload} theirs={form.theirs} />
        <RedirectAddress address={address} />
        <IssuerFields fields={fields} problems={shown} onChange={edit} />
        <SsoSecretField
          setAt={base?.client_secret_set_at ?? null}
          value={fields.client_secret}
          problem={shown.client_secret}
          onChange={(client_secret) => edit({ client_secret })}
        />
        <TagsInput
          label={t('E-mail domains')}
          description={t(
            'Addresses of these domains are sent here to sign in, once you have proved that each is yours. Press Enter after each.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={fields.domains.length === 0 ? t('example.com') : ''}
          value={fields.domains}
          error={shown.domains}
          maxTags={50}
          onChange={(domains) => edit({ domains: domains.map((domain) => domain.trim().toLowerCase()) })}
        />
        <SsoJoinFields fields={fields} problem={shown.join} onChange={edit} />
        <Switch
          label={t('Enabled')}
          description={t('Off, nobody can sign in with it.')}
          checked={fields.enabled}
          onChange={(event) => edit({ enabled: event.currentTarget.checked })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {base === undefined ? t('Add connection') : t('Save connection')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type FieldsProps = { fields: SsoFields; problems: SsoProblems; onChange: (part: Partial<SsoFields>) => void };

function IssuerFields({ fields, problems, onChange }: FieldsProps) {
  return (
    <>
      <NativeSelect
        label={t('Kind')}
        value={fields.kind}
        data={ssoKinds.map((kind) => ({ value: kind, label: ssoKindWords[kind] }))}
        onChange={(event) => {
          const kind = ssoKinds.find((each) => each === event.currentTarget.value) ?? fields.kind;
          const known = kind === 'google' && fields.issuer.trim() === '' ? { issuer: issuerHints.google } : {};
          onChange({ kind, ...known });
        }}
      />
      <TextInput
        label={t('Name')}
        description={t('On the button of the sign-in page: “{button}”.', {
          button: t('Sign in with {label}', { label: fields.label.trim() || '…' }),
        })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={60}
        value={fields.label}
        error={problems.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <TextInput
        label={t('Issuer')}
        type="url"
        placeholder={issuerHints[fields.kind]}
        maxLength={500}
        value={fields.issuer}
        error={problems.issuer}
        onChange={(event) => onChange({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label={t('Client id')}
        autoComplete="off"
        maxLength={300}
        value={fields.client_id}
        error={problems.client_id}
        onChange={(event) => onChange({ client_id: event.currentTarget.value })}
      />
    </>
  );
}

function RedirectAddress({ address }: { address: string | undefined }) {
  return (
    <div>
      <div className={classes.fieldName}>{t('Redirect address')}</div>
      {address === undefined ? (
        <div className={classes.fieldHelp}>
          {t('Shown once the connection is saved. Register it at the issuer before somebody signs in.')}
        </div>
      ) : (
        <>
          <div className={settingsClasses.key}>
            <code>{address}</code>
            <CopyButton value={address} label={t('Copy redirect address')} />
          </div>
          <div className={classes.fieldHelp}>{t('Register it at the issuer, letter by letter.')}</div>
        </>
      )}
    </div>
  );
}
