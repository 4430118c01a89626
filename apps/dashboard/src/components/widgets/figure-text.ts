import { formatDuration } from '@airdeck/domain/duration';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { byteSize } from '../../lib/byte-size.ts';
import { numberFormat, type Reader } from '../../ui/reader.ts';

/** A figure in its parts; `exact` where the shown value is rounded. */
export type FigureText = { value: string; unit?: string; exact?: string };

/** What stands for a figure there is none of. */
export const NO_FIGURE = '–';

const whole = { maximumFractionDigits: 0 };
const short = { maximumSignificantDigits: 3 };

const THOUSAND = 1000;
const MILLION = 1_000_000;

/** As `byteSize` has them. */
export function bytesText(bytes: number, reader: Reader): FigureText {
  const { value: inUnit, unit } = byteSize(bytes);
  const value = numberFormat(reader, short).format(inUnit);
  return unit === 'B'
    ? { value, unit }
    : { value, unit, exact: t('{bytes} bytes', { bytes: numberFormat(reader, whole).format(bytes) }) };
}

/** A count in full up to a million, rounded beyond. */
export function countText(count: number, reader: Reader): FigureText {
  const inFull = numberFormat(reader, whole).format(count);
  if (count < MILLION) return { value: inFull };
  const inMillions = stepOf(count / THOUSAND, THOUSAND, 3) === 1;
  const shown = count / (inMillions ? MILLION : MILLION * THOUSAND);
  return {
    value: numberFormat(reader, short).format(shown),
    unit: inMillions ? plural(shown, 'million', 'million##several') : plural(shown, 'billion', 'billion##several'),
    exact: inFull,
  };
}

export function durationText(seconds: number | null, { locale }: Reader): FigureText {
  const text = formatDuration(seconds, locale);
  const gap = text.lastIndexOf(' ');
  return gap === -1 ? { value: NO_FIGURE } : { value: text.slice(0, gap), unit: text.slice(gap + 1) };
}

/** How often `value` holds a whole `base`, at most `steps - 1`; rounding up must not show "1,000 MB". */
function stepOf(value: number, base: number, steps: number): number {
  let step = 0;
  while (step < steps - 1 && Number((value / base ** step).toPrecision(3)) >= base) step += 1;
  return step;
}

/** How a figure stands to the one before; `same` within half a percent. */
export type Change = { direction: 'same' } | { direction: 'up' | 'down'; text: string };

/** More than this share is no change but a beginning: the period before was hardly watched. */
const CHANGE_MAX = 9.99;

/** How much a figure changed; undefined where there was next to nothing before. */
export function changeOf(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null || before === 0) return undefined;
  const share = (now - before) / before;
  if (share > CHANGE_MAX) return undefined;
  const percent = Math.round(Math.abs(share) * 100);
  if (percent === 0) return { direction: 'same' };
  return { text: t('{percent} %', { percent }), direction: share > 0 ? 'up' : 'down' };
}
