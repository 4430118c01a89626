import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import type { BuilderDefinition } from '../document/builder-action.ts';
import { linesOfProblems, type ReadText, readYaml, writeYaml } from '../document/definition-yaml.ts';
import { sameJson } from '../document/json.ts';
import classes from './code-view.module.css';
import { createEditor, type Editor } from './editor.ts';

const PAUSE_MS = 300;

/** The same document as text. What can be read is taken over a moment after it was typed; what cannot says where. */
export function CodeView() {
  const { document: doc, change, problems, known, unread, setUnread } = useBuilder();
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const [read, setRead] = useState<ReadText>();
  /** What the text in the editor stands for; while it cannot be read, what there was when reading failed. */
  const said = useRef<BuilderDefinition>(undefined);

  const take = useEffectEvent((text: string) => {
    const next = readYaml(text);
    setRead(next);
    setUnread('problems' in next);
    if ('problems' in next) {
      said.current = doc.definition;
      return;
    }
    said.current = next.definition;
    change({ type: 'replace', definition: next.definition, typing: 'yaml' });
  });
  const knownNow = useEffectEvent(() => known);
  const firstText = useEffectEvent(() => {
    said.current = doc.definition;
    return writeYaml(doc.definition);
  });
  useEffect(() => {
    const parent = root.current;
    if (parent === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWaiting = false;
    const flush = () => {
      clearTimeout(timer);
      // The text as it is now: it may have been replaced since it was typed in.
      if (isWaiting) take(made.text());
      isWaiting = false;
    };
    const made = createEditor({
      parent,
      text: firstText(),
      label: t('Playbook as YAML'),
      known: () => knownNow(),
      onChange: () => {
        isWaiting = true;
        clearTimeout(timer);
        timer = setTimeout(flush, PAUSE_MS);
      },
    });
    editor.current = made;
    // Before another button does anything it is known whether the text can be read.
    parent.addEventListener('focusout', flush);
    return () => {
      parent.removeEventListener('focusout', flush);
      // What was typed a moment ago is not lost by looking at the graph.
      flush();
      made.close();
      editor.current = undefined;
      // With its view the text is gone.
      setUnread(false);
    };
  }, [setUnread]);
  const replaceText = useEffectEvent((definition: BuilderDefinition) => {
    said.current = definition;
    // What could not be read is kept nowhere else.
    editor.current?.replace(writeYaml(definition), { undoable: unread });
    setRead(undefined);
    setUnread(false);
  });
  useEffect(() => {
    // Changed by another hand than the text's: undo, an import, or somebody else's draft.
    if (said.current !== undefined && !sameJson(said.current, doc.definition)) replaceText(doc.definition);
  }, [doc.definition]);

  const broken = read !== undefined && 'problems' in read ? read.problems : undefined;
  const marks = useMemo(() => {
    if (broken !== undefined) return broken;
    const text = editor.current?.text() ?? writeYaml(doc.definition);
    return linesOfProblems(text, doc.definition, problems);
  }, [broken, doc.definition, problems]);
  useEffect(() => editor.current?.mark(marks), [marks]);

  return (
    <div className={classes.root}>
      <div ref={root} className={classes.editor} />
      <div className={classes.foot} role="status" data-broken={broken !== undefined || undefined}>
        {broken !== undefined ? (
          <>
            <p className={classes.broken}>
              {t('Line {line}: {message}', { line: broken[0]?.line ?? 0, message: broken[0]?.message ?? '' })}
            </p>
            <p>{t('Nothing of this text is saved or published, and the graph waits, until it can be read.')}</p>
          </>
        ) : read !== undefined && 'definition' in read && read.hasComments ? (
          <p>{t('Comments are not kept: the playbook is saved without them.')}</p>
        ) : (
          <p>{t('The same playbook as text. What is changed here shows in the graph, and the other way round.')}</p>
        )}
      </div>
    </div>
  );
}
