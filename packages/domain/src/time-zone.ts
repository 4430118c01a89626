/**
 * Named zones only: the formatter takes offsets such as +02:00, too, which would be wrong for half the year. And by a place:
 * PostgreSQL reads many an abbreviation as another zone than the formatter does, as IST.
 */
export function isTimeZone(name: string): boolean {
  return (name === 'UTC' || name.includes('/')) && isKnownZone(name);
}

/** Whether times can be written in it here. Abbreviations were taken once, and are in profiles. */
export function isKnownZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
