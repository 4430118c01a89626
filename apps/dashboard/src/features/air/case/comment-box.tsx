import { limits } from '@airdeck/contracts/limits';
import { Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import classes from './case.module.css';
import type { CaseUpdater } from './use-case-update.ts';

/** A comment on the case. The words stay in the field until the server has them. */
export function CommentBox({ updater }: { updater: CaseUpdater }) {
  const { reason } = useAccess('airWork');
  const [text, setText] = useState('');
  const busy = updater.pending?.comment !== undefined;
  const send = async () => {
    const comment = text.trim();
    if (comment === '' || busy) return;
    if (await updater.update({ comment })) setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  if (reason !== undefined)
    return <p className={classes.noComment}>You can read this story but not comment on it. {reason}</p>;
  return (
    <form className={classes.comment} onSubmit={submit}>
      <Textarea
        aria-label="Comment"
        placeholder="Add a comment"
        autosize
        minRows={1}
        maxRows={12}
        maxLength={limits.commentMax}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <GuardedButton
        type="submit"
        variant="default"
        reason={text.trim() === '' ? 'Write something first.' : undefined}
        loading={busy}
      >
        Comment
      </GuardedButton>
    </form>
  );
}
