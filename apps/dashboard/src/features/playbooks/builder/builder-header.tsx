import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconFileExport, IconFileImport, IconFlask, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { draftCalls, draftMutations } from '../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { DeleteDialog } from '../detail/delete-dialog.tsx';
import classes from './builder.module.css';
import { unreadReason, useBuilder } from './builder-context.ts';
import { saveAsFile } from './code/save-as-file.ts';
import { readDefinition } from './document/builder-action.ts';
import type { DraftSaver, SaveState } from './draft/draft-saver.ts';
import { ImportDialog } from './draft/import-dialog.tsx';
import { PublishDialog } from './draft/publish-dialog.tsx';
import { VersionWords } from './draft/version-words.tsx';

type HeaderDialog = 'publish' | 'import' | 'discard' | 'delete';

type Props = {
  version: number;
  saver: DraftSaver;
  state: SaveState;
  onTried: () => void;
  /** Somebody else's draft stands in the way of this one. */
  onResolve: () => void;
};

/** Name and version, and what can be done with the whole: try, publish, read from a file, write to one, throw away. */
export function BuilderHeader({ version, saver, state, onTried, onResolve }: Props) {
  const { id, document: doc, problems, unread, setUnread } = useBuilder();
  const [open, setOpen] = useState<HeaderDialog>();
  const close = () => setOpen(undefined);
  const { name, description } = doc.definition.metadata;
  const isPublished = saver.revision() === 0 && state.status === 'saved';
  return (
    <>
      <PageHeader
        title={name.trim() === '' ? t('Playbook without a name') : name}
        section={t('Playbook builder')}
        state={<VersionWords version={version} isPublished={isPublished} />}
        // Always one line, as it is typed meanwhile: what stands below must not move.
        purpose={
          <span className={classes.purpose} title={description}>
            {description.split('\n')[0]}
          </span>
        }
        actions={
          <>
            <MoreMenu onOpen={setOpen} canDiscard={version > 0 && !isPublished} canDelete={version === 0} />
            {version > 0 ? (
              <Button variant="default" renderRoot={(props) => <Link to="/playbooks/$id" params={{ id }} {...props} />}>
                {t('See the playbook')}
              </Button>
            ) : null}
            <GuardedButton
              variant="default"
              reason={
                unreadReason({ unread }) ?? (doc.definition.actions.length === 0 ? t('Add a step first.') : undefined)
              }
              leftSection={<IconFlask size={16} aria-hidden />}
              onClick={onTried}
            >
              {t('Try it')}
            </GuardedButton>
            <GuardedButton
              reason={unreadReason({ unread }) ?? publishReason(problems.length, isPublished)}
              aria-haspopup="dialog"
              onClick={() => (state.status === 'conflict' ? onResolve() : setOpen('publish'))}
            >
              {t('Publish')}
            </GuardedButton>
          </>
        }
      />
      {open === 'publish' ? (
        <PublishDialog saver={saver} version={version} onConflict={onResolve} onClose={close} />
      ) : null}
      {open === 'import' ? <ImportDialog onClose={close} /> : null}
      {open === 'discard' ? <DiscardDialog saver={saver} version={version} onClose={close} /> : null}
      {open === 'delete' ? (
        <DeleteDialog
          playbook={{ id, version, metadata: doc.definition.metadata }}
          onClose={close}
          // A save that is out must not come after it, nor one be tried on the way out.
          settle={saver.saveNow}
          onDeleted={() => {
            saver.startOver({ revision: 0, version: 0 }, doc.definition);
            // Told before the screen is left, which would ask about text of what is gone.
            flushSync(() => setUnread(false));
          }}
        />
      ) : null}
    </>
  );
}

function publishReason(problems: number, isPublished: boolean): string | undefined {
  if (problems > 0) return plural(problems, 'One problem to mend first.', '{count} problems to mend first.');
  return isPublished ? t('Nothing has changed since it was published.') : undefined;
}

type MenuProps = {
  onOpen: (dialog: HeaderDialog) => void;
  canDiscard: boolean;
  /** Only one that was never published is deleted here: no version is lost that somebody relies on. */
  canDelete: boolean;
};

function MoreMenu({ onOpen, canDiscard, canDelete }: MenuProps) {
  const { document: doc } = useBuilder();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('More')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => onOpen('import')}>
          {t('Import YAML…')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileExport size={16} aria-hidden />}
          onClick={() => void saveAsFile(doc.definition)}
        >
          {t('Export YAML')}
        </Menu.Item>
        {canDiscard ? (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onOpen('discard')}>
            {t('Discard changes…')}
          </Menu.Item>
        ) : null}
        {canDelete ? (
          <Menu.Item
            color="var(--air-critical)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onOpen('delete')}
          >
            {t('Delete playbook…')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function DiscardDialog({ saver, version, onClose }: { saver: DraftSaver; version: number; onClose: () => void }) {
  const { id, document: doc, change } = useBuilder();
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const discard = useMutation(draftMutations.discard(tenantApi, queryClient, id));
  const confirm = async () => {
    // A save that is out must not begin the draft again.
    await saver.saveNow();
    discard.mutate(undefined, {
      onSuccess: async () => {
        const { draft, published } = await draftCalls(tenantApi, queryClient, id).load();
        const { definition } = readDefinition(draft.definition);
        saver.startOver({ revision: draft.revision, version: published.version }, definition);
        change({ type: 'replace', definition });
        showDone(t('Changes discarded'));
        onClose();
        // Text that cannot be read is thrown away with the rest.
        await navigate({ to: '/playbooks/$id', params: { id }, ignoreBlocker: true });
      },
    });
  };
  return (
    <AskDialog
      title={t('Discard the changes of “{name}”?', { name: doc.definition.metadata.name })}
      text={t(
        'Everything changed since version {version} was published is thrown away, also what others changed. Version {version} stays as it is.',
        { version },
      )}
      actionLabel={t('Discard changes')}
      busy={discard.isPending}
      problem={discard.error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
