import { Tabs } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import type { EditorPanel } from '../policies-search.ts';
import { BacktestPanel } from '../trial/backtest-panel.tsx';
import { PastedEvents } from '../trial/pasted-events.tsx';
import { VersionsPanel } from '../versions/versions-panel.tsx';
import classes from './editor.module.css';
import type { PolicyEditor } from './use-policy-editor.ts';

const labels: Readonly<Record<EditorPanel, string>> = {
  events: t('Try events'),
  backtest: t('Backtest'),
  versions: t('Versions'),
};

type Props = { editor: PolicyEditor; panel: EditorPanel; onPanel: (panel: EditorPanel) => void };

/** What the policy as it stands here would do, and how it came to be. */
export function TrialPanel({ editor: { stored, rule, canRun, dirty, take }, panel, onPanel }: Props) {
  const shown: readonly EditorPanel[] =
    stored === undefined ? ['events', 'backtest'] : ['events', 'backtest', 'versions'];
  const blocked = canRun ? undefined : t('Name it and fill in its conditions first.');
  return (
    <Panel flush>
      <Tabs
        value={shown.includes(panel) ? panel : 'events'}
        onChange={(value) => {
          const chosen = shown.find((each) => each === value);
          if (chosen !== undefined) onPanel(chosen);
        }}
      >
        <Tabs.List>
          {shown.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* Kept while another part shows: what was pasted and what came of it must not be lost. */}
        <Tabs.Panel value="events" className={classes.trial ?? ''}>
          <PastedEvents rule={rule} blocked={blocked} />
        </Tabs.Panel>
        <Tabs.Panel value="backtest" className={classes.trial ?? ''}>
          <BacktestPanel rule={rule} blocked={blocked} />
        </Tabs.Panel>
        {stored === undefined ? null : (
          <Tabs.Panel value="versions" keepMounted={false} className={classes.trial ?? ''}>
            <VersionsPanel policy={stored} dirty={dirty} onRolledBack={take} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Panel>
  );
}
