/** Tags on addresses, which dynamic address groups collect: a block without a commit. */
import { addressFamily } from '@airdeck/connector-kit/address-class';
import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { collectPages, type Paged } from '@airdeck/connector-kit/paging';
import { configTextOr } from '../config-values.ts';
import { optionalText } from '../vendor-action.ts';
import { escapeXml, type XmlElement, xmlChild, xmlChildren } from '../xml.ts';
import { callPanos, PANOS, showPanos } from './panos-client.ts';

export const DEFAULT_TAG = 'airdeck-blocked';
export const TAG_PATTERN = '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,126}$';
const TAG = { max: 127, pattern: new RegExp(TAG_PATTERN), like: 'the name of a tag' };

export function tagOf(context: ActionContext): string {
  return optionalText(context, 'tag', TAG) ?? configTextOr(context.config, 'tag', DEFAULT_TAG);
}

/** The one spelling of an address: a firewall may write IPv6 another way than it was given. */
export function canonicalAddress(address: string): string {
  return addressFamily(address) === 6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

export async function isTagged(context: ConnectorContext, address: string, tag: string): Promise<boolean> {
  const response = await showPanos(
    context,
    `<show><object><registered-ip><ip>${escapeXml(address)}</ip></registered-ip></object></show>`,
  );
  return entriesWith(response, tag).some((one) => canonicalAddress(one) === address);
}

const PAGE_SIZE = 500;

export function listTagged(context: ConnectorContext, tag: string, maxItems: number): Promise<Paged<string, number>> {
  return collectPages<string, number>({
    vendor: PANOS,
    first: 1,
    maxItems,
    fetch: async (start) => {
      const response = await showPanos(
        context,
        `<show><object><registered-ip><limit>${PAGE_SIZE}</limit><start-point>${start}</start-point><tag><entry name="${escapeXml(tag)}"/></tag></registered-ip></object></show>`,
      );
      const count = xmlChildren(xmlChild(response, 'result'), 'entry').length;
      return { items: entriesWith(response, tag), next: count < PAGE_SIZE ? undefined : start + count };
    },
  });
}

/** Older versions do not narrow by tag, so it is looked for here as well. */
function entriesWith(response: XmlElement, tag: string): string[] {
  return xmlChildren(xmlChild(response, 'result'), 'entry')
    .filter((entry) => xmlChildren(xmlChild(entry, 'tag'), 'member').some(({ text }) => text.trim() === tag))
    .flatMap((entry) => entry.attributes.get('ip') ?? []);
}

type Change = {
  readonly kind: 'register' | 'unregister';
  readonly address: string;
  readonly tag: string;
  /** After which the firewall takes the tag away by itself. */
  readonly timeoutS?: number;
};

export async function changeTag(context: ConnectorContext, { kind, address, tag, timeoutS }: Change): Promise<void> {
  const timeout = timeoutS === undefined ? '' : ` timeout="${timeoutS}"`;
  const entry = `<entry ip="${escapeXml(address)}"><tag><member${timeout}>${escapeXml(tag)}</member></tag></entry>`;
  const message = `<uid-message><version>1.0</version><type>update</type><payload><${kind}>${entry}</${kind}></payload></uid-message>`;
  await callPanos(context, { type: 'user-id', form: { cmd: message } });
}
