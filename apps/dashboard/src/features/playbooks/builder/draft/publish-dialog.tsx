import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../../components/problem-note.tsx';
import { t } from '../../../../language/translate.ts';
import { showDone } from '../../../../lib/toasts.ts';
import { draftMutations } from '../../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { useBuilder } from '../builder-context.ts';
import classes from './draft.module.css';
import type { DraftSaver } from './draft-saver.ts';

type Props = {
  saver: DraftSaver;
  version: number;
  /** It came out only now that somebody else saved or published. */
  onConflict: () => void;
  onClose: () => void;
};

/** Makes the draft the version that runs, with a word on what changed. */
export function PublishDialog({ saver, version, onConflict, onClose }: Props) {
  const { id, document: doc } = useBuilder();
  const [note, setNote] = useState('');
  const [unsaved, setUnsaved] = useState(false);
  const publish = useMutation(draftMutations.publish(useTenantApi(), useQueryClient(), id));
  const { name } = doc.definition.metadata;
  const submit = async () => {
    const isSaved = await saver.saveNow();
    setUnsaved(!isSaved);
    if (!isSaved) {
      if (saver.state().status === 'conflict') onConflict();
      return;
    }
    publish.mutate(
      { revision: saver.revision(), note },
      {
        onSuccess: (published) => {
          // The next change begins a draft of its own.
          saver.startOver({ revision: 0, version: published.version }, doc.definition);
          showDone(t('{name} published as version {version}', { name, version: published.version }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={t('Publish “{name}”?', { name })} size={480} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="md">
          <p className={classes.text}>
            {version === 0
              ? t('It becomes version 1 and can be started, by people and by policies.')
              : t('It becomes version {version}. Runs going on stay with the version they began with.', {
                  version: version + 1,
                })}
          </p>
          <Textarea
            label={t('What changed')}
            description={t('Optional. It stands in the list of versions.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={500}
            data-autofocus
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {unsaved ? (
            <p className={classes.text}>{t('The draft could not be saved, so there is nothing to publish yet.')}</p>
          ) : null}
          <ProblemNote error={publish.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={publish.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={publish.isPending}>
              {t('Publish')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
