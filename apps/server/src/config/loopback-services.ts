import type { Config } from './config.ts';

type Service = { readonly host: string; readonly port: number };

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type LoopbackServices = Readonly<Record<'signIn' | 'marketplace' | 'clerk', readonly Service[]>>;

/**
 * Services of this machine which the operator's own configuration names, such as a local issuer, by the part of the
 * product they were named for: only that part's own calls may reach exactly these ports. At stage `local` only; elsewhere
 * nothing on loopback is ever called.
 */
export function loopbackServices({
  stage,
  signIn,
  azureMarketplace,
  clerk,
}: Pick<Config, 'stage' | 'signIn' | 'azureMarketplace' | 'clerk'>): LoopbackServices {
  const onLoopback = (...addresses: (string | undefined)[]) => (stage === 'local' ? addresses.flatMap(serviceAt) : []);
  return {
    signIn: onLoopback(signIn.other?.issuer),
    marketplace: onLoopback(azureMarketplace?.apiUrl, azureMarketplace?.loginUrl),
    clerk: onLoopback(clerk?.apiUrl, clerk?.address.keysUrl),
  };
}

function serviceAt(address: string | undefined): Service[] {
  const url = address === undefined ? undefined : new URL(address);
  if (url === undefined || !loopbackHosts.has(url.hostname)) return [];
  const usual = url.protocol === 'https:' ? 443 : 80;
  return [{ host: url.hostname, port: url.port === '' ? usual : Number(url.port) }];
}
