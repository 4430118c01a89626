/** Columns of the table of results until others are chosen; the time always stands first. */
export const defaultColumns = ['integration', 'host', 'user', 'message'] as const;

const WIDE = 'minmax(280px, 1fr)';

/** How wide a column is, as a track of a grid. */
const widths: Readonly<Record<string, string>> = {
  integration: '96px',
  event_type: '132px',
  severity: '104px',
  action: '112px',
  outcome: '96px',
  host: '124px',
  user: '132px',
  src_ip: '132px',
  dst_ip: '132px',
  message: WIDE,
  raw: WIDE,
};
const OTHER = '150px';
const TIME = '160px';

/** Tracks of the grid all rows share: time first, and the last column takes what is left where no text does. */
export function gridOf(columns: readonly string[]): string {
  const tracks = columns.map((name) => widths[name] ?? OTHER);
  const fills = tracks.some((track) => track.startsWith('minmax'));
  const last = tracks.at(-1);
  if (!fills && last !== undefined) tracks[tracks.length - 1] = `minmax(${last}, 1fr)`;
  return [TIME, ...tracks].join(' ');
}

export function toggled(columns: readonly string[], name: string): string[] {
  return columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name];
}

export function isDefault(columns: readonly string[]): boolean {
  return columns.length === defaultColumns.length && columns.every((name, index) => name === defaultColumns[index]);
}
