import type { QueryProblem } from '@airdeck/query-language/query-problem';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { whenIdle } from '../../lib/idle.ts';
import classes from './query-bar.module.css';
import type { QueryEditor } from './query-editor.ts';
import type { Offers } from './query-offers.ts';
import { hintsOf, problemOf } from './query-problem.ts';

export type QueryBarHandle = { focus: () => void };

type Props = {
  ref: Ref<QueryBarHandle>;
  /** Of the address. */
  query: string;
  /** What the server said about that query. */
  refused: QueryProblem | undefined;
  busy: boolean;
  offers: Offers;
  /** Searches; the same query again looks at what is new. */
  onRun: (query: string) => void;
};

const LABEL = t('Query');
const HINT = t('Search events: words, field:value, "a phrase", src_ip:10.0.0.0/8 …');
/** Long enough that nobody is corrected in the middle of a word. */
const PAUSE_MS = 900;

/** The query: a plain field at once, coloured and completed once it is used, or there is one and the browser has time. */
export function QueryBar({ ref, query, refused, busy, offers, onRun }: Props) {
  const [typed, setTyped] = useState({ text: query, from: query });
  // The address changed by another hand: back, a saved search, a pivot.
  if (typed.from !== query) setTyped({ text: query, from: query });
  const { text } = typed;
  const [judged, setJudged] = useState(query);
  const [asked, setAsked] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => setJudged(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const own = problemOf(text);
  // What is wrong at the very end is probably not finished yet: it is only said when it was to be searched.
  const isToBeSaid = judged === text && (asked === text || (own?.span.end ?? 0) < text.trimEnd().length);
  const problem = own === undefined ? (text === query ? refused : undefined) : isToBeSaid ? own : undefined;
  const type = (next: string) => setTyped({ text: next, from: query });
  const run = (next: string = text) => {
    setJudged(next);
    setAsked(next);
    if (problemOf(next) === undefined) onRun(next.trim());
  };
  return (
    <div className={classes.root}>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div className={classes.field} data-problem={problem !== undefined || undefined}>
          <IconSearch size={16} className={classes.icon} aria-hidden />
          <QueryField ref={ref} text={text} problem={problem} busy={busy} offers={offers} onType={type} onRun={run} />
        </div>
        <Button type="submit" loading={busy}>
          {t('Search##verb')}
        </Button>
      </form>
      <QueryNotes
        text={text}
        problem={problem}
        hints={problem === undefined && judged === text ? hintsOf(text) : []}
        onFix={(fix) => {
          type(fix);
          run(fix);
        }}
      />
    </div>
  );
}

type FieldProps = Pick<Props, 'ref' | 'busy' | 'offers'> & {
  text: string;
  problem: QueryProblem | undefined;
  onType: (text: string) => void;
  onRun: (text: string) => void;
};

function QueryField({ ref, text, problem, busy, offers, onType, onRun }: FieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLInputElement>(null);
  const editor = useRef<QueryEditor>(undefined);
  const [loaded, setLoaded] = useState(false);
  /** Where the plain field had it, when that had the focus. */
  const cursor = useRef<number>(undefined);
  const shown = useRef(text);
  const onChange = useEffectEvent((next: string) => {
    shown.current = next;
    onType(next);
  });
  const onEnter = useEffectEvent(onRun);
  const offersNow = useEffectEvent(() => offers);
  const firstText = useEffectEvent(() => text);
  const [isWanted, setWanted] = useState(false);
  // The events come first: the editor is as large as the rest of the screen. An empty one looks the same without it.
  const isIdleLoad = !isWanted && !busy && text !== '';
  useEffect(() => (isIdleLoad ? whenIdle(() => setWanted(true)) : undefined), [isIdleLoad]);
  useEffect(() => {
    if (!isWanted) return;
    let gone = false;
    void import('./query-editor.ts').then(({ createQueryEditor }) => {
      if (gone || place.current === null) return;
      if (document.activeElement === plain.current) cursor.current = plain.current?.selectionStart ?? 0;
      shown.current = firstText();
      editor.current = createQueryEditor({
        parent: place.current,
        text: shown.current,
        label: LABEL,
        hint: HINT,
        onChange: (next) => onChange(next),
        onRun: (now) => onEnter(now),
        offers: () => offersNow(),
      });
      setLoaded(true);
    });
    return () => {
      gone = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, [isWanted]);
  // What is hidden takes no focus: not before it is shown in place of the plain field.
  useLayoutEffect(() => {
    if (loaded && cursor.current !== undefined) editor.current?.focus(cursor.current);
  }, [loaded]);
  useEffect(() => {
    if (shown.current === text) return;
    shown.current = text;
    editor.current?.replace(text);
  }, [text]);
  const start = problem?.span.start;
  const end = problem?.span.end;
  useEffect(() => {
    if (loaded) editor.current?.mark(start === undefined || end === undefined ? undefined : { start, end });
  }, [loaded, start, end]);
  useImperativeHandle(ref, () => ({ focus: () => (editor.current ?? plain.current)?.focus() }), []);
  return (
    <>
      <div ref={place} className={classes.editor} hidden={!loaded} />
      {loaded ? null : (
        <input
          ref={plain}
          className={classes.plain}
          aria-label={LABEL}
          placeholder={HINT}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={text}
          onPointerEnter={() => setWanted(true)}
          onFocus={() => setWanted(true)}
          onChange={(event) => {
            shown.current = event.currentTarget.value;
            onType(event.currentTarget.value);
          }}
        />
      )}
    </>
  );
}

type NotesProps = {
  text: string;
  problem: QueryProblem | undefined;
  hints: readonly string[];
  onFix: (fix: string) => void;
};

/** What is wrong, where, and what to do about it. */
function QueryNotes({ text, problem, hints, onFix }: NotesProps) {
  if (problem === undefined) {
    return hints.length === 0 ? null : (
      <ul className={classes.hints} role="status">
        {hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    );
  }
  const { span, message, suggestion, fix } = problem;
  const at = text.slice(span.start, span.end).trim();
  return (
    <div className={classes.problem} role="alert">
      <span className={classes.where}>
        {t('Character {position}', { position: span.start + 1 })}
        {at === '' ? null : (
          <>
            {': '}
            <code className={classes.part}>{at.length > 40 ? `${at.slice(0, 40)}…` : at}</code>
          </>
        )}
      </span>
      <span>
        {message} {suggestion}
      </span>
      {fix === undefined ? null : (
        <Button variant="default" size="compact-xs" className={classes.fix ?? ''} onClick={() => onFix(fix)}>
          {tx('Search {query}', {
            query: <code className={classes.part}>{fix.length > 60 ? `${fix.slice(0, 60)}…` : fix}</code>,
          })}
        </Button>
      )}
    </div>
  );
}
