import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ContractService } from '../contract/contract-port.ts';
import type { Files } from '../files/files-port.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { demoPdf } from './demo-pdf.ts';

type Dependencies = {
  contract: Pick<ContractService, 'set' | 'addFile' | 'setBilling'>;
  files: Pick<Files, 'put'>;
  ids: () => string;
  now: () => Date;
};

const DAY_MS = 24 * 3_600_000;
const NAME = 'Service agreement.pdf';

/** A contract of a year that began four months ago, with its document and where the bills go. */
export async function createDemoContract(
  { contract, files, ids, now }: Dependencies,
  tx: Tx,
  tenant: { id: string; name: string },
  by: ChangedBy,
): Promise<void> {
  const scope = trustedTenantScope(tenant.id);
  const day = (days: number) => new Date(now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const terms = { start_date: day(-120), end_date: day(245), renewal_notice_date: day(185), seats: 25 };
  await contract.set(tx, scope, terms, by);
  const document = demoPdf([
    'Service agreement (demo)',
    '',
    `Customer: ${tenant.name}`,
    `From ${terms.start_date} to ${terms.end_date}, ${terms.seats} seats.`,
    '',
    'Made by the demo workspace. It binds nobody.',
  ]);
  const id = ids();
  // A file without its row, left by a start that died here, is swept.
  const sizeBytes = await files.put(id, pieces(document));
  await contract.addFile(tx, scope, { id, name: NAME, sizeBytes }, by);
  const billing = { address: '100 Example Avenue', city: 'Springfield', state: 'Illinois', zip_code: '62701' };
  const contact = { contact_name: 'Accounts payable', contact_phone: '+1 555 0100' };
  await contract.setBilling(tx, scope, { ...billing, ...contact, contact_email: 'billing@example.com' }, by);
}

async function* pieces(content: Buffer) {
  yield content;
}
