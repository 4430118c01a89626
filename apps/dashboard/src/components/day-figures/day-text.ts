import { dateFormat, type Reader, zoneNameOf } from '../../ui/reader.ts';

/** A day `yyyy-mm-dd` as the reader writes it; it is a day of the report already, in whatever zone. */
export function dayText(day: string, { locale }: Reader): string {
  return dateFormat({ locale, timeZone: 'UTC' }, { month: 'short', day: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** Whose days they are: "America/Sao Paulo". */
export function zoneText(reader: Reader): string {
  return zoneNameOf(reader).replaceAll('_', ' ');
}
