import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { Person } from '../../../components/person.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { InputsTable } from '../definition/inputs-table.tsx';
import { StepsInShort } from '../definition/steps-in-short.tsx';
import { LastRuns } from '../figures/last-runs.tsx';
import { RateAndMedian } from '../figures/rate-and-median.tsx';
import classes from './list.module.css';
import { triggerWords } from './playbook-rows.ts';

/** What a playbook is for, how it went, what it takes and does. */
export function AboutPlaybook({ playbook }: { playbook: Playbook }) {
  const { metadata, figures, triggers } = playbook;
  return (
    <>
      <p className={metadata.description === '' ? classes.words : classes.text}>
        {metadata.description === '' ? t('Nobody has described it yet.') : metadata.description}
      </p>
      <KeyFacts
        facts={[
          { label: t('Last runs'), value: <LastRuns runs={figures.last_runs} /> },
          { label: t('Success, median'), value: <RateAndMedian figures={figures} /> },
          { label: t('Runs, 30 days'), value: <Count value={figures.runs_30d} /> },
          { label: t('Starts by'), value: triggers.map((trigger) => triggerWords[trigger]).join(', ') },
          { label: t('Author'), value: metadata.author === '' ? '' : <Person username={metadata.author} /> },
          { label: t('Changed##playbook'), value: <RelativeTime time={playbook.updated_at} /> },
        ]}
      />
      <section>
        <h3 className={classes.sectionTitle}>{t('Inputs')}</h3>
        <InputsTable schema={playbook.inputs} />
      </section>
      <section>
        <h3 className={classes.sectionTitle}>{plural(playbook.actions.length, 'One step', '{count} steps')}</h3>
        <StepsInShort actions={playbook.actions} />
      </section>
    </>
  );
}
