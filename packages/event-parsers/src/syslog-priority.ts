export type Priority = { facility: number; severity: number; length: number };

const PRIORITY = /^<(\d{1,3})>/;
/** 23 facilities and 7 severities: local7.debug. */
const HIGHEST = 191;

/** The `<34>` in front of a syslog line; undefined when there is none or its number means nothing. */
export function readPriority(line: string): Priority | undefined {
  const found = PRIORITY.exec(line);
  const number = Number(found?.[1]);
  if (found === null || number > HIGHEST) return undefined;
  return { facility: number >> 3, severity: number & 7, length: found[0].length };
}
