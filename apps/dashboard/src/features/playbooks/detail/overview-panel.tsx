import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Count } from '../../../ui/count.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { InputsTable } from '../definition/inputs-table.tsx';
import { LastRuns } from '../figures/last-runs.tsx';
import { successText } from '../figures/success-rate.ts';
import { triggerWords } from '../list/playbook-rows.ts';
import { DefinitionFlow } from './definition-flow.tsx';
import classes from './detail.module.css';
import { useCountOfUses } from './use-count-of-uses.ts';

/** A playbook at a glance: its graph, how it goes, what it takes. */
export function OverviewPanel({ id }: { id: string }) {
  const { data: playbook } = useSuspenseQuery(playbookQueries.detail(useTenantApi(), useQueryClient(), id));
  const { description } = playbook.metadata;
  return (
    <>
      <Figures playbook={playbook} />
      <DefinitionFlow playbook={playbook} />
      <div className={classes.columns}>
        <div className={classes.stack}>
          <Panel title={t('What it is for')}>
            <p className={description === '' ? classes.words : classes.text}>
              {description === '' ? t('Nobody has described it yet.') : description}
            </p>
          </Panel>
          <Panel title={t('Inputs')}>
            <InputsTable schema={playbook.inputs} />
          </Panel>
          <Panel title={t('Outputs')}>
            <JsonSection
              value={playbook.outputs}
              label={t('Expressions of the outputs')}
              nothing={t('It gives none.')}
            />
          </Panel>
        </div>
        <Facts playbook={playbook} />
      </div>
    </>
  );
}

function Figures({ playbook: { figures } }: { playbook: Playbook }) {
  const { locale } = useReader();
  return (
    <dl className={classes.figures}>
      <div className={classes.figure}>
        <dt
          title={t(
            'Of the newest 50 runs of the last 30 days: those that ended in success, of those that ended in success or error',
          )}
        >
          {t('Success')}
        </dt>
        <dd>{successText(figures.success_rate, locale)}</dd>
      </div>
      <div className={classes.figure}>
        <dt title={t('Half of the newest 50 runs of the last 30 days took less')}>{t('Median duration')}</dt>
        <dd>{formatDuration(figures.median_duration_s, locale)}</dd>
      </div>
      <div className={classes.figure}>
        <dt>{t('Runs, 30 days')}</dt>
        <dd>
          <Count value={figures.runs_30d} />
        </dd>
      </div>
      <div className={classes.figure}>
        <dt>{t('Last runs')}</dt>
        <dd className={classes.figureTicks}>
          <LastRuns runs={figures.last_runs} />
        </dd>
      </div>
    </dl>
  );
}

function Facts({ playbook }: { playbook: Playbook }) {
  const { locale } = useReader();
  const uses = useCountOfUses(playbook.id);
  const { max_concurrent_actions, timeout_s } = playbook.exec_options;
  return (
    <aside className={classes.stack} aria-label={t('Facts of this playbook')}>
      <Panel title={t('Facts')}>
        <KeyFacts
          facts={[
            { label: t('Starts by'), value: playbook.triggers.map((trigger) => triggerWords[trigger]).join(', ') },
            {
              label: t('Used by'),
              value: (
                <Link to="/playbooks/$id" params={{ id: playbook.id }} search={{ panel: 'used-by' }}>
                  {uses}
                </Link>
              ),
            },
            { label: t('Steps at a time'), value: max_concurrent_actions },
            {
              label: t('Time limit'),
              value: timeout_s === undefined ? t('None##limit') : formatDuration(timeout_s, locale),
            },
            { label: t('Created'), value: <RelativeTime time={playbook.created_at} /> },
            {
              label: t('Id'),
              value: (
                <span className={classes.id}>
                  <span className="air-mono">{playbook.id}</span>
                  <CopyButton value={playbook.id} label={t('Copy id')} />
                </span>
              ),
            },
          ]}
        />
      </Panel>
    </aside>
  );
}
