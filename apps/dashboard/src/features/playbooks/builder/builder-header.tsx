import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFileExport, IconFileImport, IconFlask, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { showDone } from '../../../lib/toasts.ts';
import { draftCalls, draftMutations } from '../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { useBuilder } from './builder-context.ts';
import { saveAsFile } from './code/save-as-file.ts';
import { readDefinition } from './document/builder-action.ts';
import type { DraftSaver, SaveState } from './draft/draft-saver.ts';
import { ImportDialog } from './draft/import-dialog.tsx';
import { PublishDialog } from './draft/publish-dialog.tsx';
import { VersionWords } from './draft/version-words.tsx';

type Props = { version: number; saver: DraftSaver; state: SaveState; onTried: () => void };

/** Name and version, and what can be done with the whole: try, publish, read from a file, write to one, throw away. */
export function BuilderHeader({ version, saver, state, onTried }: Props) {
  const { document: doc, problems } = useBuilder();
  const [open, setOpen] = useState<'publish' | 'import' | 'discard'>();
  const close = () => setOpen(undefined);
  const { name, description } = doc.definition.metadata;
  const isPublished = saver.revision() === 0 && state.status === 'saved';
  return (
    <>
      <PageHeader
        title={name.trim() === '' ? 'Playbook without a name' : name}
        section="Playbook builder"
        state={<VersionWords version={version} isPublished={isPublished} />}
        purpose={description === '' ? undefined : description.split('\n')[0]}
        actions={
          <>
            <MoreMenu onOpen={setOpen} canDiscard={version > 0 && !isPublished} />
            <GuardedButton
              variant="default"
              reason={doc.definition.actions.length === 0 ? 'Add a step first.' : undefined}
              leftSection={<IconFlask size={16} aria-hidden />}
              onClick={onTried}
            >
              Try it
            </GuardedButton>
            <GuardedButton
              reason={publishReason(problems.length, isPublished)}
              aria-haspopup="dialog"
              onClick={() => setOpen('publish')}
            >
              Publish
            </GuardedButton>
          </>
        }
      />
      {open === 'publish' ? <PublishDialog saver={saver} version={version} onClose={close} /> : null}
      {open === 'import' ? <ImportDialog onClose={close} /> : null}
      {open === 'discard' ? <DiscardDialog saver={saver} version={version} onClose={close} /> : null}
    </>
  );
}

function publishReason(problems: number, isPublished: boolean): string | undefined {
  if (problems > 0) return problems === 1 ? 'One problem to mend first.' : `${problems} problems to mend first.`;
  return isPublished ? 'Nothing has changed since it was published.' : undefined;
}

type MenuProps = { onOpen: (dialog: 'import' | 'discard') => void; canDiscard: boolean };

function MoreMenu({ onOpen, canDiscard }: MenuProps) {
  const { document: doc } = useBuilder();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="More">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => onOpen('import')}>
          Import YAML…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileExport size={16} aria-hidden />}
          onClick={() => void saveAsFile(doc.definition)}
        >
          Export YAML
        </Menu.Item>
        {canDiscard ? (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onOpen('discard')}>
            Discard changes…
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
        const { definition, revision } = await draftCalls(tenantApi, queryClient, id).load();
        const published = readDefinition(definition).definition;
        saver.startOver(revision, published);
        change({ type: 'replace', definition: published });
        showDone('Changes discarded');
        onClose();
        await navigate({ to: '/playbooks/$id', params: { id } });
      },
    });
  };
  return (
    <AskDialog
      title={`Discard the changes of “${doc.definition.metadata.name}”?`}
      text={`Everything changed since version ${version} was published is thrown away, also what others changed. Version ${version} stays as it is.`}
      actionLabel="Discard changes"
      busy={discard.isPending}
      problem={discard.error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
