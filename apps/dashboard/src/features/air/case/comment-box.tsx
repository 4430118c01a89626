import { limits } from '@airdeck/contracts/limits';
import { Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { usePeople } from '../../../components/use-people.ts';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import classes from './case.module.css';
import { mentionAt, peopleLike, withMention } from './mention.ts';
import type { CaseUpdater } from './use-case-update.ts';
import { useCommentDraft } from './use-comment-draft.ts';

/** A comment on the case. The words stay until the server has them, also when the case is closed meanwhile. */
export function CommentBox({ caseId, updater }: { caseId: string; updater: CaseUpdater }) {
  const { reason } = useAccess('airWork');
  const { text, change } = useCommentDraft(caseId);
  const [caret, setCaret] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const mention = useMention(text, hasFocus ? caret : 0, {
    onChoose: (next) => {
      change(next.text);
      setCaret(next.caret);
      // After the field has the new text, or the caret would go to its end.
      requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
    },
  });
  const busy = updater.pending?.comment !== undefined;
  const send = async () => {
    const comment = text.trim();
    if (comment === '' || busy) return;
    if (!(await updater.update({ comment }))) return;
    // What was written since belongs to the next one.
    change((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (mention.onKey(event.key)) return event.preventDefault();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  if (reason !== undefined)
    return (
      <p className={classes.noComment}>{t('You can read this story but not comment on it. {reason}', { reason })}</p>
    );
  return (
    <form className={classes.comment} onSubmit={submit}>
      <Textarea
        aria-label={t('Comment')}
        placeholder={t('Add a comment; @ mentions somebody')}
        autosize
        minRows={1}
        maxRows={12}
        maxLength={limits.commentMax}
        value={text}
        ref={field}
        {...mention.field}
        onChange={(event) => {
          change(event.currentTarget.value);
          setCaret(event.currentTarget.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
      />
      {mention.people.length === 0 ? null : (
        <div className={classes.mentions} role="listbox" id={mention.listId} aria-label={t('People to mention')}>
          {mention.people.map((person, index) => (
            <div
              key={person.uname}
              id={`${mention.listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === mention.active}
              className={classes.mention}
              onPointerDown={(event) => {
                event.preventDefault();
                mention.choose(index);
              }}
            >
              {person.fullname} <span className={classes.faint}>{person.uname}</span>
            </div>
          ))}
        </div>
      )}
      <GuardedButton
        type="submit"
        variant="default"
        reason={text.trim() === '' ? t('Write something first.') : undefined}
        loading={busy}
      >
        {t('Comment##verb')}
      </GuardedButton>
    </form>
  );
}

type Chosen = { text: string; caret: number };

/** Offers people while a name is typed after an at sign. */
function useMention(text: string, caret: number, { onChoose }: { onChoose: (next: Chosen) => void }) {
  const listId = useId();
  const found = mentionAt(text, caret);
  const { people: everybody } = usePeople(found?.typed ?? '', { enabled: found !== undefined });
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const isOpen = found !== undefined && closedAt !== found.start;
  const people = isOpen ? peopleLike(everybody, found.typed) : [];
  const at = Math.min(active, Math.max(0, people.length - 1));
  const choose = (index: number) => {
    const person = people[index];
    if (found === undefined || person === undefined) return;
    onChoose(withMention(text, found, person.uname));
    setActive(0);
  };
  return {
    people,
    active: at,
    listId,
    choose,
    /** Whether the key was for the list. */
    onKey(key: string): boolean {
      if (people.length === 0) return false;
      if (key === 'ArrowDown') setActive((at + 1) % people.length);
      else if (key === 'ArrowUp') setActive((at + people.length - 1) % people.length);
      else if (key === 'Enter' || key === 'Tab') choose(at);
      else if (key === 'Escape') setClosedAt(found?.start);
      else return false;
      return true;
    },
    field:
      people.length === 0
        ? {}
        : ({
            'aria-controls': listId,
            'aria-activedescendant': `${listId}-${at}`,
            'aria-autocomplete': 'list',
            // Or Esc would close the panel with what was typed, too.
            'data-mantine-stop-propagation': true,
          } as const),
  };
}
