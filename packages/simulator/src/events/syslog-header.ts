const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `<86>Nov 20 09:05:01 host ` as RFC 3164 writes it: no year, no zone (UTC here), day padded with a space. */
export function syslogHeader(priority: number, time: number, host: string): string {
  const date = new Date(time);
  const clock = date.toISOString().slice(11, 19);
  return `<${priority}>${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2, ' ')} ${clock} ${host} `;
}
