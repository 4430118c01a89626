import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SeverityBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import { CriteriaEditor } from '../criteria/criteria-editor.tsx';
import { useFieldNames } from '../criteria/use-field-names.ts';
import { sourcesOf } from '../draft/policy-draft.ts';
import { EnabledSwitch } from '../list/enabled-switch.tsx';
import type { EditorPanel, EditorView } from '../policies-search.ts';
import { ProviderNote } from '../publish/provider-note.tsx';
import { AboutFields } from './about-fields.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { CountingFields } from './counting-fields.tsx';
import classes from './editor.module.css';
import { EditorBar } from './editor-bar.tsx';
import { EditorMenu } from './editor-menu.tsx';
import { JsonView } from './json-view.tsx';
import { ProblemSummary } from './problem-summary.tsx';
import { useSourceChoices } from './source-choices.ts';
import { SourceFields } from './source-fields.tsx';
import { TrialPanel } from './trial-panel.tsx';
import type { PolicyEditor as Editor } from './use-policy-editor.ts';

type Props = {
  editor: Editor;
  view: EditorView;
  panel: EditorPanel;
  onView: (view: EditorView) => void;
  onPanel: (panel: EditorPanel) => void;
  /** What to know before one goes on. */
  note?: ReactNode;
};

/** The form of a policy, as fields or as JSON, with what it would do beside it. */
export function PolicyEditor({ editor, view, panel, onView, onPanel, note }: Props) {
  const formId = useId();
  const { stored, rule, dirty, save, asked, problems, failure, conflict } = editor;
  const { form, refuse } = useRefusal<HTMLFieldSetElement>(editor.refused);
  return (
    <>
      <PageHeader
        title={stored === undefined ? t('New policy') : stored.rule.name}
        section={stored === undefined ? t('New policy') : t('Edit policy')}
        purpose={t('Conditions that events must fit, and when those that do open a case.')}
        state={stored === undefined ? undefined : <SeverityBadge severity={stored.rule.severity} />}
        actions={
          stored === undefined ? undefined : (
            <>
              <EnabledSwitch policy={stored} withWord onChanged={editor.noteSwitched} />
              <EditorMenu policy={stored} dirty={dirty} />
            </>
          )
        }
      />
      <div className={classes.columns}>
        <fieldset ref={form} className={classes.column} disabled={editor.creating}>
          <SegmentedControl
            className={classes.views ?? ''}
            aria-label={t('How the policy shows')}
            size="xs"
            value={view}
            disabled={editor.jsonProblem !== undefined}
            data={[
              { value: 'form', label: t('Form') },
              { value: 'json', label: t('JSON') },
            ]}
            onChange={(value) => onView(value === 'json' ? 'json' : 'form')}
          />
          <ProblemNote error={failure} />
          <ProviderNote published={stored?.published ?? null} />
          {note}
          <ProblemSummary
            problems={problems}
            jsonProblem={asked ? editor.jsonProblem : undefined}
            linked={view === 'form'}
          />
          {view === 'json' ? (
            <JsonView
              rule={rule}
              problem={editor.jsonProblem}
              onRule={editor.setRule}
              onProblem={editor.setJsonProblem}
            />
          ) : (
            <FormFields editor={editor} />
          )}
        </fieldset>
        <aside className={classes.column} aria-label={t('Try the policy')}>
          <TrialPanel editor={editor} panel={panel} onPanel={onPanel} />
        </aside>
      </div>
      <EditorBar
        id={formId}
        isNew={stored === undefined}
        dirty={dirty}
        saving={editor.saving}
        note={editor.note}
        onNote={editor.setNote}
        onDiscard={editor.discard}
        onSave={(how) => {
          if (!save(how)) refuse();
        }}
      />
      <LeaveGuard dirty={dirty} />
      {conflict === undefined ? null : (
        <ConflictDialog
          base={editor.base}
          theirs={conflict}
          mine={rule}
          busy={editor.saving}
          onMine={() => save({ enabled: conflict.enabled }, conflict.version)}
          onTheirs={() => editor.take(conflict)}
          onClose={editor.leaveConflict}
        />
      )}
    </>
  );
}

function FormFields({ editor: { draft, change, problems } }: { editor: Editor }) {
  const { places, nodes } = problems;
  const choices = useSourceChoices();
  const fieldNames = useFieldNames(sourcesOf(draft.logic));
  return (
    <>
      <AboutFields draft={draft} places={places} onChange={change} />
      <SourceFields draft={draft} choices={choices} places={places} onChange={change} />
      <Panel title={t('What it looks for')}>
        {draft.logic.sequence === undefined ? null : (
          <p className={classes.help}>{t('In every step, beside what the step itself looks for. May be empty.')}</p>
        )}
        {places.criteria === undefined ? null : <p className={classes.problem}>{places.criteria}</p>}
        <div data-place="criteria">
          <CriteriaEditor
            root={draft.criteria}
            problems={nodes}
            fieldNames={fieldNames}
            onChange={(criteria) => change({ criteria })}
          />
        </div>
      </Panel>
      <CountingFields draft={draft} choices={choices} fieldNames={fieldNames} problems={problems} onChange={change} />
    </>
  );
}
