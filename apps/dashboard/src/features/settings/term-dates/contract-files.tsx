import type { Contract } from '@airdeck/contracts/contract/schema';
import { Button } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { downloadAddress, fileSize } from '../../../lib/file-download.ts';
import { showDone } from '../../../lib/toasts.ts';
import { contractMutations } from '../../../queries/contract.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SettingRow } from '../setting-row.tsx';
import settings from '../settings.module.css';
import { fileProblem } from './file-choice.ts';
import classes from './term-dates.module.css';

type ContractFile = Contract['files'][number];

/** Documents of the contract: everybody here downloads, the provider adds and removes. */
export function ContractFiles({ contract }: { contract: Contract }) {
  const { config } = useApp();
  const { download } = contractMutations;
  const link = useMutation(download(useTenantApi()));
  const [deleting, setDeleting] = useState<ContractFile>();
  const open = (file: ContractFile) =>
    link.mutate(file.id, {
      // The server sends it as an attachment, so this page stays.
      onSuccess: ({ url }) => window.location.assign(downloadAddress(url, config.api_base_url, window.location.href)),
    });
  const { files, editable } = contract;
  return (
    <Panel title={t('Files')} flush {...(editable ? { aside: <Upload /> } : {})}>
      {files.length === 0 ? (
        <div className={settings.none}>
          {editable
            ? t('None yet. Add the contract and its order forms as PDF.')
            : t('None yet. Your provider adds them.')}
        </div>
      ) : (
        files.map((file) => (
          <SettingRow
            key={file.id}
            title={file.name}
            text={tx('PDF, {fileSize} · added {time}', {
              fileSize: fileSize(file.size_bytes),
              time: <RelativeTime time={file.uploaded_at} />,
            })}
            actions={
              <>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t('Download {name}', { name: file.name })}
                  leftSection={<IconDownload size={14} aria-hidden />}
                  loading={link.isPending && link.variables === file.id}
                  onClick={() => open(file)}
                >
                  {t('Download')}
                </Button>
                {editable ? (
                  <Button
                    variant="default"
                    size="compact-sm"
                    className={settings.danger ?? ''}
                    aria-label={t('Delete {name}', { name: file.name })}
                    onClick={() => setDeleting(file)}
                  >
                    {t('Delete')}
                  </Button>
                ) : null}
              </>
            }
          />
        ))
      )}
      {deleting === undefined ? null : <DeleteFile of={deleting} onClose={() => setDeleting(undefined)} />}
    </Panel>
  );
}

function Upload() {
  const { queryClient } = useApp();
  const upload = useMutation(contractMutations.upload(useTenantApi(), queryClient, useCallIntent()));
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // The same file can be chosen again after it was corrected.
    event.currentTarget.value = '';
    if (file === undefined) return;
    const found = fileProblem(file);
    setProblem(found);
    upload.reset();
    if (found === undefined) upload.mutate(file, { onSuccess: ({ name }) => showDone(t('{name} added', { name })) });
  };
  return (
    <div className={classes.upload}>
      {problem === undefined ? null : (
        <span role="alert" className={classes.problem}>
          {problem}
        </span>
      )}
      <ProblemNote error={upload.error} />
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        className={classes.picker}
        aria-label={t('PDF file to add')}
        tabIndex={-1}
        onChange={choose}
      />
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconUpload size={14} aria-hidden />}
        loading={upload.isPending}
        onClick={() => input.current?.click()}
      >
        {t('Add PDF')}
      </Button>
    </div>
  );
}

function DeleteFile({ of: file, onClose }: { of: ContractFile; onClose: () => void }) {
  const { queryClient } = useApp();
  const remove = useMutation(contractMutations.deleteFile(useTenantApi(), queryClient));
  return (
    <AskDialog
      title={t('Delete {name}?', { name: file.name })}
      text={t('The file is removed for everybody and cannot be brought back.')}
      actionLabel={t('Delete file')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(file.id, {
          onSuccess: () => {
            showDone(t('{name} deleted', { name: file.name }));
            onClose();
          },
        })
      }
    />
  );
}
