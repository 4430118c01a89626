import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import type { CaseSeverity, CaseStatus } from '@airdeck/contracts/statuses';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Count } from '../../ui/count.tsx';
import classes from './air-overview.module.css';

export type CasesBehind = {
  startTime?: string;
  endTime?: string;
  figure?: CaseFigure;
  policy?: string[];
  technique?: string;
  status?: CaseStatus[];
  severity?: CaseSeverity[];
};

type Props = {
  behind: CasesBehind;
  /** What opens, for readers: "critical cases opened in the last hour". */
  label: string;
  className?: string | undefined;
  children: ReactNode;
};

/** Opens the cases a figure counts. */
export function CasesLink({ behind, label, className, children }: Props) {
  const { status, severity, ...rest } = behind;
  const filters = { ...(status === undefined ? {} : { status }), ...(severity === undefined ? {} : { severity }) };
  return (
    <Link
      className={className ?? classes.link}
      to="/air/case-management"
      search={{ ...rest, ...(Object.keys(filters).length === 0 ? {} : { filters }) }}
      aria-label={label}
    >
      {children}
    </Link>
  );
}

/** A count that opens its cases; nothing to open where there are none. */
export function CasesCount({
  value,
  behind,
  label,
}: {
  value: number;
  behind: CasesBehind;
  label: (count: number) => string;
}) {
  if (value === 0) return <span className={classes.zero}>0</span>;
  return (
    <CasesLink behind={behind} label={label(value)}>
      <Count value={value} />
    </CasesLink>
  );
}
