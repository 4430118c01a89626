import type { Egress, EgressRequest } from '@airdeck/connector-kit/egress';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that expire. */
  readonly sessionToken?: string;
};

export type Signing = {
  readonly credentials: AwsCredentials;
  /** As signatures name it: `guardduty`. */
  readonly service: string;
  readonly region: string;
  readonly now: () => Date;
};

/** An egress whose requests leave signed, as they are sent: method, address, headers and body. */
export function signingEgress(egress: Egress, signing: Signing): Egress {
  return {
    async request(request) {
      return egress.request({ ...request, headers: await signedHeaders(request, signing) });
    },
  };
}

async function signedHeaders(
  request: EgressRequest,
  { credentials, service, region, now }: Signing,
): Promise<Readonly<Record<string, string>>> {
  const url = new URL(request.url);
  const signer = new SignatureV4({ credentials, service, region, sha256: Sha256 });
  const { headers } = await signer.sign(
    {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...request.headers, host: url.host },
      body: request.body ?? '',
    },
    { signingDate: now() },
  );
  // Part of the signature; on the wire it is what the connection says.
  const { host: _host, ...sent } = headers;
  return sent;
}

function queryOf({ searchParams }: URL): Record<string, string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
}
