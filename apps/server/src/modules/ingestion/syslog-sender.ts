import type { IngestSource, SourceFinder } from '../sources/ingest-source.ts';

/** `[airdeck@<number> token="src_…"]` in the structured data says whose line it is. */
const TOKEN = /(\[airdeck@\d{1,10} [^\]]{0,200}?token=")(src_[A-Za-z0-9_-]{43})"/;
const SEARCHED = 2_048;

/** The line's source, and the line without the token, which is a secret and must not be stored. */
export async function attribute(
  line: string,
  deps: { finder: SourceFinder; address: string; port?: number | undefined },
): Promise<{ source: IngestSource | undefined; line: string }> {
  const found = line.includes('[airdeck@') ? TOKEN.exec(line.slice(0, SEARCHED)) : null;
  const token = found?.[2];
  if (token === undefined) return { source: await sourceOf(deps), line };
  const source = await deps.finder.byToken(token);
  return { source: source?.kind === 'syslog' ? source : undefined, line: line.replace(token, 'src_hidden') };
}

/** The door of one source takes lines for that source alone, wherever they come from. */
function sourceOf({ finder, address, port }: Parameters<typeof attribute>[1]): Promise<IngestSource | undefined> {
  return port === undefined ? finder.bySender(plainAddress(address)) : finder.byPort(port);
}

/** An IPv4 sender at an IPv6 socket. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
