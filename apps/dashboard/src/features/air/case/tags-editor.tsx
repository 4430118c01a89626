import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { TextInput, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import classes from './case.module.css';
import type { CaseUpdater } from './use-case-update.ts';

const TAG_MAX = 50;
const TAGS_MAX = 30;

/** Tags of a case; `enter` adds one. */
export function TagsEditor({ of, updater }: { of: CaseDetail; updater: CaseUpdater }) {
  const { allowed } = useAccess('airWork');
  const [text, setText] = useState('');
  const line = useRef<HTMLDivElement>(null);
  const busy = updater.pending?.tags !== undefined;
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag === '' || busy) return;
    if (of.tags.includes(tag) || (await updater.update({ tags: [...of.tags, tag] }))) setText('');
  };
  const remove = (tag: string) => {
    // Its button goes with it.
    line.current?.focus();
    void updater.update({ tags: of.tags.filter((each) => each !== tag) });
  };
  return (
    <div className={classes.tags} ref={line} tabIndex={-1}>
      <span className={classes.tagsLabel}>{t('Tags')}</span>
      {of.tags.length === 0 && !allowed ? '–' : null}
      {of.tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
          {allowed ? (
            <UnstyledButton
              className={classes.untag}
              aria-label={t('Remove tag {tag}', { tag })}
              disabled={busy}
              onClick={() => remove(tag)}
            >
              <IconX size={12} aria-hidden />
            </UnstyledButton>
          ) : null}
        </span>
      ))}
      {allowed && of.tags.length < TAGS_MAX ? (
        <form onSubmit={(event) => void add(event)}>
          <TextInput
            className={classes.tagInput ?? ''}
            size="xs"
            aria-label={t('Add a tag')}
            placeholder={t('Tag##new')}
            maxLength={TAG_MAX}
            value={text}
            // Locked, it would lose the focus, and with it the next tag.
            readOnly={busy}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </form>
      ) : null}
    </div>
  );
}
