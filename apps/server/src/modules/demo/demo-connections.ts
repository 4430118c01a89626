import type { JsonObject } from '@airdeck/contracts/fields';
import type { DemoConnection } from '@airdeck/contracts/system/schema';
import { AWS_ACCESS_KEY_ID } from '@airdeck/simulator/sandbox/aws-data';
import { SANDBOX_TENANT } from '@airdeck/simulator/sandbox/microsoft-graph-data';
import type { Sandbox, SandboxVendor } from '@airdeck/simulator/sandbox/sandbox';

/** What the form of each vendor's integration is filled in with to reach the sandbox instead of the vendor. */
const configs: Readonly<Record<SandboxVendor, (at: { base_url: string }, key: string) => JsonObject>> = {
  abuseipdb: (at, key) => ({ ...at, api_key: key }),
  aws: ({ base_url }, key) => ({
    region: 'eu-central-1',
    access_key_id: AWS_ACCESS_KEY_ID,
    secret_access_key: key,
    endpoint_url: base_url,
  }),
  crowdstrike: (at, key) => ({ ...at, client_id: 'airdeck', client_secret: key }),
  fortigate: (at, key) => ({ ...at, api_token: key }),
  github: (at, key) => ({ ...at, organization: 'example-org', token: key }),
  graylog: (at, key) => ({ ...at, api_token: key }),
  jira: (at, key) => ({ ...at, email: 'analyst@example.com', api_token: key, project: 'SEC' }),
  microsoft_graph: (at, key) => ({ ...at, tenant_id: SANDBOX_TENANT, client_id: 'airdeck', client_secret: key }),
  okta: (at, key) => ({ ...at, api_token: key }),
  pagerduty: (at, key) => ({ ...at, routing_key: key, api_token: key }),
  panos: (at, key) => ({ ...at, api_key: key }),
  servicenow: (at, key) => ({ ...at, username: 'integration', password: key }),
  slack: (at, key) => ({ ...at, bot_token: key }),
  virustotal: (at, key) => ({ ...at, api_key: key }),
};

/** Every vendor the sandbox speaks for, with an address and credentials it takes. */
export function demoConnections({ url, keys }: Pick<Sandbox, 'url' | 'keys'>): DemoConnection[] {
  return Object.entries(configs).map(([vendor, configOf]) => ({
    definition_id: vendor,
    config: configOf({ base_url: `${url}/${vendor}` }, keys[vendor as SandboxVendor]),
  }));
}
