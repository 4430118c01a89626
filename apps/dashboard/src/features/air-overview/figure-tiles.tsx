import type { AirOverview, PeriodFigures } from '@airdeck/contracts/air-overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { CasesLink } from './cases-link.tsx';
import { changeOf } from './figure-change.ts';
import { Hint } from './hint.tsx';

type Mean = 'manual_mttd' | 'automated_mttd' | 'manual_mttr' | 'automated_mttr';

/** Definitions as `docs/cases.md` has them. */
const tiles: readonly { figure: Mean; name: string; definition: string }[] = [
  {
    figure: 'automated_mttd',
    name: t('MTTD, automated'),
    definition: t('Mean time from the first matching event until a policy opened the case.'),
  },
  {
    figure: 'manual_mttd',
    name: t('MTTD, manual'),
    definition: t('Mean time from a case opening until a person first acknowledged it.'),
  },
  {
    figure: 'automated_mttr',
    name: t('MTTR, automated'),
    definition: t(
      'Mean time from a case opening until its first automated response succeeded, or automation closed it.',
    ),
  },
  {
    figure: 'manual_mttr',
    name: t('MTTR, manual'),
    definition: t('Mean time from a case opening until a person closed it.'),
  },
];

/** Mean times to detect and respond over the period, against the one before. */
export function FigureTiles({ overview }: { overview: AirOverview }) {
  return (
    <div className={classes.tiles}>
      {tiles.map((tile) => (
        <Tile key={tile.figure} {...tile} overview={overview} />
      ))}
    </div>
  );
}

type TileProps = (typeof tiles)[number] & { overview: AirOverview };

function Tile({ figure, name, definition, overview }: TileProps) {
  const { locale } = useReader();
  const { period, previous, start_time: startTime, end_time: endTime } = overview;
  const { seconds, cases } = period[figure];
  const text = formatDuration(seconds, locale);
  return (
    <section className={classes.tile} aria-label={name}>
      <h2 className={classes.tileName}>
        {name}
        <Hint text={definition} />
      </h2>
      {cases === 0 ? (
        <span className={classes.value}>–</span>
      ) : (
        <CasesLink
          className={classes.value}
          behind={{ startTime, endTime, figure }}
          label={plural(
            cases,
            '{text}, {name}: show the {count} case it is taken over',
            '{text}, {name}: show the {count} cases it is taken over',
            { text, name },
          )}
        >
          {text}
        </CasesLink>
      )}
      <p className={classes.tileNote}>
        {cases === 0 ? t('Nothing to average') : plural(cases, 'over {count} case', 'over {count} cases')}
        <Change period={period} previous={previous} figure={figure} />
      </p>
    </section>
  );
}

/** Less is better. */
function Change({ period, previous, figure }: { period: PeriodFigures; previous: PeriodFigures; figure: Mean }) {
  const change = changeOf(period[figure].seconds, previous[figure].seconds);
  if (change === undefined) return null;
  const Icon = change.more ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={classes.change} data-good={!change.more}>
      <Icon size={14} aria-hidden />
      {change.more
        ? t('{percent} % slower than before', { percent: change.percent })
        : t('{percent} % faster than before', { percent: change.percent })}
    </span>
  );
}
