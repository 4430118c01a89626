import { SegmentedControl, TagsInput, Textarea, TextInput } from '@mantine/core';
import { SeverityBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import type { DraftProblems } from '../draft/draft-problems.ts';
import type { PolicyDraft } from '../draft/policy-draft.ts';
import classes from './editor.module.css';

const severities = ['low', 'medium', 'high', 'critical'] as const;

type Props = { draft: PolicyDraft; places: DraftProblems['places']; onChange: (part: Partial<PolicyDraft>) => void };

/** Name, severity, description and techniques. */
export function AboutFields({ draft, places, onChange }: Props) {
  return (
    <Panel title={t('About')}>
      <div className={classes.fields}>
        <TextInput
          data-place="name"
          label={t('Name')}
          description={t('Cases it opens carry it.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          value={draft.name}
          error={places.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <div>
          <span className={classes.label} id="policy-severity">
            {t('Severity of its cases')}
          </span>
          <SegmentedControl
            className={classes.severity ?? ''}
            aria-labelledby="policy-severity"
            value={draft.severity}
            data={severities.map((severity) => ({
              value: severity,
              label: <SeverityBadge severity={severity} variant="plain" />,
            }))}
            onChange={(value) => {
              const severity = severities.find((each) => each === value);
              if (severity !== undefined) onChange({ severity });
            }}
          />
        </div>
        <Textarea
          data-place="description"
          label={t('Description')}
          description={t('What it means when it fires, and what to do first.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          value={draft.description}
          error={places.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
        <TagsInput
          data-place="techniques"
          label={t('MITRE ATT&CK techniques')}
          classNames={{ pill: classes.pill ?? '', inputField: classes.pillInput ?? '' }}
          placeholder={(draft.techniques ?? []).length === 0 ? t('T1110, then Enter') : ''}
          maxTags={50}
          value={[...(draft.techniques ?? [])]}
          error={places.techniques}
          onChange={(techniques) => onChange({ techniques: techniques.map((each) => each.trim().toUpperCase()) })}
        />
      </div>
    </Panel>
  );
}
