import { Button, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../../language/translate.ts';
import classes from '../../../ui/save-bar.module.css';
import type { Save } from './use-policy-editor.ts';

type Props = {
  id: string;
  isNew: boolean;
  dirty: boolean;
  saving: boolean;
  note: string;
  onNote: (note: string) => void;
  onDiscard: () => void;
  onSave: (how: Save) => void;
};

/** Saves: a new policy at any time, one that is there when something was changed, with a note for its versions. */
export function EditorBar({ id, isNew, dirty, saving, note, onNote, onDiscard, onSave }: Props) {
  const [enabled, setEnabled] = useState(false);
  if (!isNew && !dirty && !saving) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ enabled });
  };
  return (
    <form
      id={id}
      className={classes.root}
      aria-label={isNew ? t('Create the policy') : t('Unsaved changes')}
      onSubmit={submit}
    >
      {isNew ? (
        <Switch
          className={classes.text ?? ''}
          label={t('Switch it on at once')}
          checked={enabled}
          disabled={saving}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      ) : (
        <TextInput
          className={classes.text ?? ''}
          aria-label={t('What changed')}
          placeholder={t('What changed, for the versions')}
          maxLength={500}
          value={note}
          onChange={(event) => onNote(event.currentTarget.value)}
        />
      )}
      {dirty ? (
        <Button variant="default" onClick={onDiscard} disabled={saving}>
          {t('Discard')}
        </Button>
      ) : null}
      <Button type="submit" loading={saving}>
        {isNew ? t('Create policy') : t('Save changes')}
      </Button>
    </form>
  );
}
