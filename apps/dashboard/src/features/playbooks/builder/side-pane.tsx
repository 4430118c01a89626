import type { JsonObject } from '@airdeck/contracts/fields';
import { Button, Group } from '@mantine/core';
import type { Ref } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { addSteps } from './add-steps.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import { SettingsForm } from './form/settings-form.tsx';
import { STEP_TITLE_ID, StepForm } from './form/step-form.tsx';
import { Palette } from './palette/palette.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { TrialPanel } from './trial/trial-panel.tsx';

export type Trial = { runId?: string | undefined; tried: JsonObject };

type Props = { ref: Ref<HTMLElement>; trial: Trial; onTrial: (trial: Trial) => void };

/** Beside the graph: the form of what is selected, or what was asked for instead. */
export function SidePane({ ref, trial, onTrial }: Props) {
  return (
    <aside ref={ref} className={classes.side} aria-label={t('Details')} tabIndex={-1}>
      <Content trial={trial} onTrial={onTrial} />
    </aside>
  );
}

function Content({ trial, onTrial }: Omit<Props, 'ref'>) {
  const { document: doc, side, show, unread } = useBuilder();
  if (unread) return <TextFirst />;
  if (side.show === 'palette') {
    return (
      <Palette
        place={side.place}
        onAdded={() => {
          show({ show: 'form' });
          requestAnimationFrame(() =>
            requestAnimationFrame(() => document.getElementById(STEP_TITLE_ID)?.focus({ preventScroll: true })),
          );
        }}
      />
    );
  }
  if (side.show === 'problems') return <ProblemsPanel />;
  if (side.show === 'trial') {
    return (
      <TrialPanel
        runId={trial.runId}
        tried={trial.tried}
        onRun={(runId) => onTrial({ ...trial, runId })}
        onTried={(tried) => onTrial({ ...trial, tried })}
      />
    );
  }
  const [only, ...others] = doc.definition.actions.filter(({ id }) => doc.selection.includes(id));
  if (only === undefined) return <SettingsForm />;
  return others.length === 0 ? <StepForm key={only.id} action={only} /> : <SeveralSteps count={others.length + 1} />;
}

/** A change made here would take the place of the text, and what was typed there is kept nowhere else. */
function TextFirst() {
  return (
    <section className={classes.panel} aria-labelledby={STEP_TITLE_ID}>
      <h2 id={STEP_TITLE_ID} tabIndex={-1} className={classes.panelTitle}>
        {t('The YAML cannot be read')}
      </h2>
      <p className={classes.words}>
        {t('Forms and steps are back as soon as it can. Nothing of it is saved until then.')}
      </p>
    </section>
  );
}

/** What can be done with several steps at once. */
function SeveralSteps({ count }: { count: number }) {
  const builder = useBuilder();
  const { change, announce } = builder;
  const ids = builder.document.selection;
  return (
    <section className={classes.panel} aria-labelledby={STEP_TITLE_ID}>
      <h2 id={STEP_TITLE_ID} tabIndex={-1} className={classes.panelTitle}>
        {plural(count, '{count} step selected', '{count} steps selected')}
      </h2>
      <Group gap="xs">
        <Button variant="default" onClick={() => addSteps(builder, { type: 'duplicate', ids })}>
          {t('Duplicate##verb')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            change({ type: 'delete', ids });
            announce(plural(count, '{count} step deleted', '{count} steps deleted'));
          }}
        >
          {t('Delete')}
        </Button>
        <Button variant="default" onClick={() => change({ type: 'select', ids: [] })}>
          {t('Select none')}
        </Button>
      </Group>
    </section>
  );
}
