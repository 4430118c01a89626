/** The DNS records that prove whose a domain is: only who runs the domain can set them. */
import { Resolver } from 'node:dns/promises';

const CALL_TIMEOUT_MS = 3000;
/** Of one name; nobody has more than a few. */
const RECORDS_MAX = 100;
const NAME_MAX_LENGTH = 253;

/** Answers that say that there is no such record, in contrast to no answer. */
const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Texts of a name, each in the pieces it came in. Throws what `node:dns` throws. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

export type ProofFound = 'found' | 'missing' | 'unreachable';

/** Asks these name servers, or those of this machine where none are given, once each. */
export function createTxtResolver(servers: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: CALL_TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return (name) => resolver.resolveTxt(name);
}

export function proofRecord({ domain, token }: { domain: string; token: string }): { name: string; value: string } {
  return { name: `_airdeck-challenge.${domain}`, value: `airdeck-verify=${token}` };
}

/** Whether the record of a domain is there. What else stands there, and what the name servers said, is nobody's business. */
export async function findProof(
  resolveTxt: ResolveTxt,
  { name, value }: { name: string; value: string },
): Promise<ProofFound> {
  if (name.length > NAME_MAX_LENGTH) return 'missing';
  try {
    const texts = await resolveTxt(name);
    return texts.slice(0, RECORDS_MAX).some((pieces) => pieces.join('').trim() === value) ? 'found' : 'missing';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return absent.has(code) ? 'missing' : 'unreachable';
  }
}
