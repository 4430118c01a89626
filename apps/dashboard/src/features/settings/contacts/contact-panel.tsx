import { Button, NativeSelect } from '@mantine/core';
import { IconMail, IconPhone, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { contactMutations } from '../../../queries/contacts.ts';
import { useApp } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { contactBodyOf, emptyContact, fieldsOf, mailLink, phoneLink } from './contact-fields.ts';
import { ContactForm } from './contact-form.tsx';
import type { ContactRow } from './contact-rows.ts';
import classes from './contacts.module.css';

export type TenantChoice = { id: string; fullname: string; places: number };

/** What the panel shows; `gone` for an id no shown tenant has. */
export type PanelSubject =
  | { kind: 'new'; tenants: readonly TenantChoice[] }
  | { kind: 'contact'; row: ContactRow }
  | { kind: 'gone' };

type Props = {
  subject: PanelSubject;
  opened: boolean;
  /** Asks first when something would be lost. */
  onClose: () => void;
  /** Leaves without asking: everything is saved or gone. */
  onDone: () => void;
};

/** A contact beside the list, to read and to change. */
export function ContactPanel({ subject, opened, onClose, onDone }: Props) {
  const title = subject.kind === 'new' ? t('New contact') : subject.kind === 'gone' ? t('Contact') : subject.row.name;
  return (
    <SidePanel title={title} opened={opened} onClose={onClose}>
      {subject.kind === 'new' ? (
        <NewContact tenants={subject.tenants} onDone={onDone} />
      ) : subject.kind === 'contact' ? (
        // Another contact starts with its own fields.
        <EditContact key={subject.row.id} row={subject.row} onDone={onDone} />
      ) : (
        <EmptyState title={t('No such contact')} action={<Button onClick={onClose}>{t('Back to the list')}</Button>}>
          {t('It was deleted, or belongs to a tenant that is not shown.')}
        </EmptyState>
      )}
    </SidePanel>
  );
}

function NewContact({ tenants, onDone }: { tenants: readonly TenantChoice[]; onDone: () => void }) {
  const { api, queryClient } = useApp();
  const [tenantId, setTenantId] = useState(tenants[0]?.id ?? '');
  const tenant = tenants.find(({ id }) => id === tenantId) ?? tenants[0];
  const intent = useCallIntent();
  const create = useMutation(contactMutations.create({ api, tenantId: tenant?.id ?? '' }, queryClient, intent));
  if (tenant === undefined) return null;
  return (
    <ContactForm
      saved={emptyContact}
      places={tenant.places + 1}
      submitLabel={t('Add contact')}
      saving={create.isPending}
      problem={create.error}
      onEdit={() => {
        if (create.isError) create.reset();
      }}
      onSave={(fields) =>
        create.mutate(contactBodyOf(fields), {
          onSuccess: ({ name }) => {
            showDone(t('{name} added', { name }));
            onDone();
          },
        })
      }
      top={
        tenants.length < 2 ? undefined : (
          <NativeSelect
            label={t('Tenant')}
            value={tenant.id}
            data={tenants.map(({ id, fullname }) => ({ value: id, label: fullname }))}
            onChange={(event) => setTenantId(event.currentTarget.value)}
          />
        )
      }
    />
  );
}

function EditContact({ row, onDone }: { row: ContactRow; onDone: () => void }) {
  const { api, queryClient } = useApp();
  const tenantApi = { api, tenantId: row.tenant };
  const update = useMutation(contactMutations.update(tenantApi, queryClient));
  const [deleting, setDeleting] = useState(false);
  // The state the first keystroke was made on: a list read again meanwhile must not make another one of it.
  const [base, setBase] = useState<ContactRow>();
  // What the first keystroke was made on, once it was read again.
  const [before, setBefore] = useState<ContactRow>();
  const rebase = () => {
    setBase(undefined);
    setBefore(undefined);
  };
  const edit = () => {
    if (update.isError) update.reset();
    setBase((first) => first ?? row);
  };
  const reload = useMutation({
    mutationFn: () => contactMutations.reload(tenantApi, queryClient),
    onSuccess: () => {
      update.reset();
      setBase(undefined);
      setBefore(base);
    },
  });
  return (
    <>
      <ContactForm
        saved={fieldsOf(row)}
        places={row.escalation_order === null ? row.places + 1 : row.places}
        submitLabel={t('Save changes')}
        saving={update.isPending}
        problem={update.error}
        onEdit={edit}
        onDiscard={rebase}
        reload={reload}
        before={before && fieldsOf(before)}
        onSave={(fields, done) =>
          update.mutate(
            { id: row.id, body: { ...contactBodyOf(fields), updated_at: (base ?? row).updated_at } },
            {
              onSuccess: () => {
                done();
                rebase();
                showDone(t('Contact saved'));
              },
            },
          )
        }
        top={<Ways of={row} />}
        rest={
          <Button
            variant="subtle"
            color="gray"
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            {t('Delete')}
          </Button>
        }
      />
      {deleting ? <DeleteContact row={row} onClose={() => setDeleting(false)} onDone={onDone} /> : null}
    </>
  );
}

function Ways({ of: row }: { of: ContactRow }) {
  return (
    <>
      <div className={classes.ways}>
        <Button
          component="a"
          href={mailLink(row.email)}
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
        >
          {t('Write')}
        </Button>
        {row.phone === '' ? null : (
          <Button
            component="a"
            href={phoneLink(row.phone)}
            variant="default"
            leftSection={<IconPhone size={16} aria-hidden />}
          >
            {t('Call {phone}', { phone: row.phone })}
          </Button>
        )}
      </div>
      <p className={classes.changed}>
        {tx('{tenantName} · changed {time}', {
          tenantName: row.tenantName,
          time: <RelativeTime time={row.updated_at} />,
        })}
      </p>
    </>
  );
}

function DeleteContact({ row, onClose, onDone }: { row: ContactRow; onClose: () => void; onDone: () => void }) {
  const { api, queryClient } = useApp();
  const remove = useMutation(contactMutations.delete({ api, tenantId: row.tenant }, queryClient));
  const follows = row.escalation_order !== null && row.escalation_order < row.places;
  return (
    <AskDialog
      title={t('Delete {name}?', { name: row.name })}
      text={t('{name} leaves the contact directory of {tenantName}.{what} This cannot be taken back.', {
        name: row.name,
        tenantName: row.tenantName,
        what:
          row.escalation_order === null
            ? ''
            : follows
              ? t(' Place {place} of the escalation goes to whoever follows.', { place: row.escalation_order })
              : t(' Place {place} of the escalation ends.', { place: row.escalation_order }),
      })}
      actionLabel={t('Delete contact')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(row.id, {
          onSuccess: () => {
            showDone(t('{name} deleted', { name: row.name }));
            onDone();
          },
        })
      }
    />
  );
}
