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
  const { document: doc, change, problems, known } = useBuilder();
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const [read, setRead] = useState<ReadText>();
  /** What the text in the editor stands for; undefined while it cannot be read. */
  const said = useRef<BuilderDefinition>(undefined);

  const take = useEffectEvent((text: string) => {
    const next = readYaml(text);
    setRead(next);
    if (!('definition' in next)) {
      said.current = undefined;
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
    if (root.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waiting: string | undefined;
    const flush = () => {
      clearTimeout(timer);
      if (waiting !== undefined) take(waiting);
      waiting = undefined;
    };
    const made = createEditor({
      parent: root.current,
      text: firstText(),
      label: t('Playbook as YAML'),
      known: () => knownNow(),
      onChange: (text) => {
        waiting = text;
        clearTimeout(timer);
        timer = setTimeout(flush, PAUSE_MS);
      },
    });
    editor.current = made;
    return () => {
      // What was typed a moment ago is not lost by looking at the graph.
      flush();
      made.close();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => {
    // Changed by another hand than the text's: undo, or somebody else's draft.
    if (said.current === undefined || sameJson(said.current, doc.definition)) return;
    said.current = doc.definition;
    editor.current?.replace(writeYaml(doc.definition));
    setRead(undefined);
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
      <div className={classes.foot} role="status">
        {broken !== undefined ? (
          <>
            <p className={classes.broken}>
              {t('Line {line}: {message}', { line: broken[0]?.line ?? 0, message: broken[0]?.message ?? '' })}
            </p>
            <p>{t('The graph shows what could be read last. Nothing of this text is saved until it can be read.')}</p>
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
