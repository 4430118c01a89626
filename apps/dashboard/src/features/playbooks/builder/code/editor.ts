import { autocompletion } from '@codemirror/autocomplete';
import { isolateHistory } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, highlightActiveLine, lineNumbers } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { styleNonce } from '../../../../lib/style-nonce.ts';
import type { Known } from '../document/available-references.ts';
import type { TextProblem } from '../document/definition-yaml.ts';
import { completionsOf } from './completions.ts';

export type Editor = {
  readonly text: () => string;
  /** Puts another text in its place without telling `onChange`; `undoable` lets undo in the editor bring back what was. */
  readonly replace: (text: string, how: { readonly undoable: boolean }) => void;
  readonly mark: (problems: readonly TextProblem[]) => void;
  readonly close: () => void;
};

type Options = {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  readonly onChange: (text: string) => void;
  /** What is offered while typing, as it is known then. */
  readonly known: () => Known;
};

/** A text editor for YAML. Tab leaves it, as keyboards must be able to. */
export function createEditor({ parent, text, label, onChange, known }: Options): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        indentUnit.of('  '),
        yaml(),
        autocompletion({ override: [completionsOf(known)], icons: false }),
        syntaxHighlighting(colours),
        look,
        // History and the usual keys; its own colours give way to those above.
        minimalSetup,
        EditorView.lineWrapping,
        EditorView.cspNonce.of(styleNonce()),
        // It takes the focus anyway; said, whatever looks for it in the scrolling part finds it.
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          const byHand = update.transactions.some(
            (each) => each.docChanged && each.annotation(Transaction.remote) !== true,
          );
          if (byHand) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace: (next, { undoable }) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: [
          Transaction.remote.of(true),
          Transaction.addToHistory.of(undoable),
          // Never one step with what was typed a moment before: undo would take both away.
          isolateHistory.of('full'),
        ],
      }),
    mark: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((each) => diagnosticOf(view.state, each)),
        ),
      ),
    close: () => view.destroy(),
  };
}

function diagnosticOf(state: EditorState, { line, message }: TextProblem): Diagnostic {
  const { from, to, text } = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  const indent = text.length - text.trimStart().length;
  return { from: from + indent, to, severity: 'error', message };
}

/**
 * The usual style names which parts of a text look alike, in colours of a light page only: its groups, in ours. What is not
 * named here looks like plain text.
 */
const coloursOf: Readonly<Record<string, string>> = {
  '#404740': 'var(--air-text-2)',
  '#219': 'var(--air-attention)',
  '#164': 'var(--air-attention)',
  '#00c': 'var(--air-link)',
  '#940': 'var(--air-text-2)',
  '#708': 'var(--air-attention)',
};
const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color }) => ({
    tag,
    color: coloursOf[String(color)] ?? 'var(--air-text)',
  })),
);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', color: 'var(--air-text)', backgroundColor: 'var(--air-panel)' },
  '&.cm-focused': { outline: 'none' },
  // Over the line numbers too, which lie on top of an outline.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: 300,
    border: '2px solid var(--air-focus)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--air-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--air-text)' },
  '.cm-gutters': { color: 'var(--air-text-3)', backgroundColor: 'var(--air-panel)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--air-hover) 50%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--air-hover)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--air-selected) !important',
  },
  '.cm-tooltip': {
    color: 'var(--air-text)',
    backgroundColor: 'var(--air-raised)',
    border: '1px solid var(--air-border)',
    borderRadius: '6px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--air-text)',
    backgroundColor: 'var(--air-selected)',
  },
  '.cm-completionDetail': { color: 'var(--air-text-2)', fontStyle: 'normal' },
  '.cm-diagnostic': { fontSize: '0.8125rem', lineHeight: '1.125rem', padding: '6px 8px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--air-critical)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: ['underline', 'wavy', 'var(--air-critical)'].join(' '),
    textUnderlineOffset: '3px',
  },
});
