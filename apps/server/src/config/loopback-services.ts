import type { Config } from './config.ts';

type Service = { readonly host: string; readonly port: number };

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Services of this machine which the operator's own configuration names, such as a local issuer: outgoing calls may
 * reach exactly these ports. At stage `local` only; elsewhere nothing on loopback is ever called.
 */
export function loopbackServices({
  stage,
  signIn,
  azureMarketplace,
  clerk,
}: Pick<Config, 'stage' | 'signIn' | 'azureMarketplace' | 'clerk'>): Service[] {
  if (stage !== 'local') return [];
  const clerkAddresses = [clerk?.apiUrl, clerk?.address.keysUrl];
  const named = [signIn.other?.issuer, azureMarketplace?.apiUrl, azureMarketplace?.loginUrl, ...clerkAddresses];
  return named.flatMap((address) => {
    const url = address === undefined ? undefined : new URL(address);
    if (url === undefined || !loopbackHosts.has(url.hostname)) return [];
    const usual = url.protocol === 'https:' ? 443 : 80;
    return [{ host: url.hostname, port: url.port === '' ? usual : Number(url.port) }];
  });
}
