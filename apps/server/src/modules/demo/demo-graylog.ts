/** So many failures of one address within the time are an alert of the sandbox's Graylog. */
const FAILURES = 8;
const WITHIN_MS = 60_000;
/** The event definition of the sandbox that looks for them. */
const DEFINITION = 'Repeated failed logons';

type Dependencies = {
  /** Raises an alert in the sandbox, which calls whatever is attached to its event definition. */
  fire: (alert: { event_definition_title: string; key: string; fields: Record<string, string> }) => Promise<void>;
  now: () => Date;
};

/**
 * Makes the sandbox's Graylog see what the demo's servers write: once an address guesses passwords, the alert is raised
 * there, and comes back as a real one would. Gets each syslog line.
 */
export function createDemoGraylog({ fire, now }: Dependencies): (line: string) => Promise<void> {
  let since = 0;
  const failures = new Map<string, number>();
  return async (line) => {
    const found = /Failed password for (?:invalid user )?(\S+) from (\S+)/.exec(line);
    if (found === null) return;
    const [, user = '', address = ''] = found;
    if (now().getTime() - since > WITHIN_MS) {
      failures.clear();
      since = now().getTime();
    }
    const count = (failures.get(address) ?? 0) + 1;
    failures.set(address, count);
    // Once for an attack: later guesses of the minute are the same one.
    if (count !== FAILURES) return;
    await fire({ event_definition_title: DEFINITION, key: user, fields: { user, src_ip: address } });
  };
}
