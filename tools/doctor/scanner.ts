import type { ScannerAddress } from '../../apps/server/src/config/scanner-address.ts';
import { createMalwareScanner } from '../../apps/server/src/modules/files/malware-scanner.ts';
import { type Finding, found } from './finding.ts';

/** The malware scanner answers; without it every file would be refused. */
export async function checkScanner(address: ScannerAddress): Promise<Finding> {
  const scanner = createMalwareScanner(address, { warn: () => undefined });
  return found('CLAMD_URL', await scanner.problem(), 'ClamAV answers');
}
