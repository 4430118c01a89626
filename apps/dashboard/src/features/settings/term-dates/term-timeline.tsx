import type { Contract } from '@airdeck/contracts/contract/schema';
import { formatTypedDate } from '@airdeck/domain/locale-date';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { useReader } from '../../../ui/reader.ts';
import classes from './term-dates.module.css';
import { noticeText, type TermStage, type TermState, termText } from './term-state.ts';

type Look = { word: string; icon: typeof IconCircleCheck; color: string };

const looks: Readonly<Record<TermStage, Look>> = {
  ahead: { word: t('Not begun'), icon: IconCircleDashed, color: 'var(--air-idle)' },
  running: { word: t('Running'), icon: IconCircleCheck, color: 'var(--air-success)' },
  notice: { word: t('Renewal due'), icon: IconAlertTriangle, color: 'var(--air-medium)' },
  over: { word: t('Ended'), icon: IconCircleX, color: 'var(--air-critical)' },
};

type Props = {
  contract: Contract;
  state: TermState;
  /** `yyyy-MM-dd` */
  today: string;
};

/** The term as a line from start to end, with today and the notice date on it. */
export function TermTimeline({ contract, state, today }: Props) {
  const { locale } = useReader();
  const { word, icon: Icon, color } = looks[state.stage];
  const isOn = state.stage === 'running' || state.stage === 'notice';
  return (
    <div className={classes.term}>
      <div className={classes.headline}>
        <span className={classes.left}>{termText(state)}</span>
        <span className={classes.stage} style={{ color }}>
          <Icon size={16} aria-hidden />
          {word}
        </span>
      </div>
      <div className={classes.line} aria-hidden="true">
        <span className={classes.gone} style={{ width: `${state.today * 100}%`, background: color }} />
        {state.notice === undefined ? null : (
          <span className={classes.mark} data-kind="notice" style={{ left: `${state.notice * 100}%` }} />
        )}
        {isOn ? <span className={classes.mark} data-kind="today" style={{ left: `${state.today * 100}%` }} /> : null}
      </div>
      <dl className={classes.dates}>
        {datesOf(contract, state, today).map(({ name, day, mark, more }) => (
          <div key={name} className={classes.date}>
            <dt>
              {mark === undefined ? null : <span className={classes.key} data-kind={mark} aria-hidden="true" />}
              {name}
            </dt>
            <dd>
              {formatTypedDate(day, { locale })}
              {more === undefined ? null : <span className={classes.more}> · {more}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Advice state={state} />
    </div>
  );
}

type TermDate = { name: string; day: string; mark?: 'today' | 'notice'; more?: string };

/** In the order of the calendar, as they lie on the line. */
function datesOf(contract: Contract, { stage, daysToNotice = 0 }: TermState, today: string): TermDate[] {
  const { start_date, renewal_notice_date: notice, end_date } = contract;
  const dates: TermDate[] = [
    { name: t('Start'), day: start_date },
    { name: t('Today'), day: today, mark: 'today' },
    ...(notice === null
      ? []
      : [
          {
            name: t('Renewal notice'),
            day: notice,
            mark: 'notice' as const,
            ...(stage === 'over' ? {} : { more: noticeText(daysToNotice) }),
          },
        ]),
    { name: t('End'), day: end_date },
  ];
  return dates.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

const advice: Readonly<Partial<Record<TermStage, string>>> = {
  notice: t('It is time to say whether the contract goes on.'),
  over: t('The last day has passed: agree on new dates. What runs here goes on running.'),
};

function Advice({ state: { stage } }: { state: TermState }) {
  const text = advice[stage];
  return text === undefined ? null : <p className={classes.advice}>{text}</p>;
}
