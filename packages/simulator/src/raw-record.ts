/** How a product hands over its records: a syslog line, or a line of NDJSON over HTTP. */
export type Transport = 'syslog' | 'http';

/** One record exactly as the product writes it. */
export type RawRecord = {
  /** Milliseconds since the epoch; also written inside the line, as precisely as the format can. */
  readonly time: number;
  readonly transport: Transport;
  readonly product: 'sshd' | 'fortigate' | 'okta' | 'windows';
  readonly line: string;
  /** Name of the scenario it belongs to; absent for everyday records. */
  readonly scenario?: string;
};
