/** Points, and colours that keep their order when they are printed in grey. */
import type { CaseSeverity } from '@airdeck/contracts/statuses';

export const sheet = { width: 595.28, height: 841.89, margin: 48, top: 64, bottom: 64 } as const;
export const contentWidth = sheet.width - 2 * sheet.margin;

export const ink = {
  text: '#16202c',
  muted: '#566170',
  line: '#d5dbe3',
  panel: '#f4f6f8',
  white: '#ffffff',
  good: '#1b7a4b',
  bad: '#a3262a',
  manual: '#41546b',
  automated: '#2a9d8f',
} as const;

/** The darker the worse. */
export const severityInk: Readonly<Record<CaseSeverity, string>> = {
  critical: '#7f1d1d',
  high: '#d1541f',
  medium: '#e8b04a',
  low: '#b9c6d4',
};

export const DEFAULT_ACCENT = '#1f4f8f';

export type Weight = 400 | 600;
export type TextStyle = {
  readonly size: number;
  readonly weight?: Weight;
  readonly colour?: string;
  /** Figures of the same width, for columns. */
  readonly tabular?: boolean;
};

export const type = {
  body: { size: 9.5 },
  small: { size: 8, colour: ink.muted },
  label: { size: 8, weight: 600, colour: ink.muted },
  strong: { size: 9.5, weight: 600 },
  title: { size: 18, weight: 600 },
  heading: { size: 11.5, weight: 600 },
  figure: { size: 21, weight: 600, tabular: true },
  cell: { size: 8.5 },
  number: { size: 8.5, tabular: true },
} as const satisfies Record<string, TextStyle>;
