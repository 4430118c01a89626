import type { PlaybookFigures } from '@airdeck/contracts/playbooks/schema';
import { runStatusLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { useReader } from '../../../ui/reader.ts';
import classes from './figures.module.css';
import { tickForm, ticksWords, tickTitle } from './run-ticks.ts';

type Props = { runs: PlaybookFigures['last_runs'] };

/** How the last runs ended, the oldest left and the newest right: a tick each, in colour and form. */
export function LastRuns({ runs }: Props) {
  const { locale } = useReader();
  if (runs.length === 0) {
    return (
      <span className={classes.none} data-empty>
        {t('No run yet')}
      </span>
    );
  }
  return (
    <span className={classes.ticks} role="img" aria-label={ticksWords(runs)}>
      {runs.toReversed().map((run) => (
        <span
          key={run.id}
          className={classes.tick}
          data-form={tickForm(run.status)}
          style={{ color: runStatusLooks[run.status].color }}
          title={tickTitle(run, locale)}
        />
      ))}
    </span>
  );
}
