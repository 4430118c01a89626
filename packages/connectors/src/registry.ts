import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { abuseipdb } from './abuseipdb/abuseipdb.ts';
import { crowdstrike } from './crowdstrike/crowdstrike.ts';
import { fortigate } from './fortigate/fortigate.ts';
import { github } from './github/github.ts';
import { graylog } from './graylog/graylog.ts';
import { httpRequest } from './http-request/http-request.ts';
import { jira } from './jira/jira.ts';
import { microsoftGraph } from './microsoft-graph/microsoft-graph.ts';
import { okta } from './okta/okta.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { servicenow } from './servicenow/servicenow.ts';
import { slack } from './slack/slack.ts';
import { smtpMail } from './smtp-mail/smtp-mail.ts';
import { virustotal } from './virustotal/virustotal.ts';

/** All connectors of the product. Throws `RegistryError` when one of them does not keep its own promises. */
export function createConnectorRegistry(): ConnectorRegistry {
  return createRegistry([
    abuseipdb,
    crowdstrike,
    fortigate,
    github,
    graylog,
    httpRequest,
    jira,
    microsoftGraph,
    okta,
    pagerduty,
    servicenow,
    slack,
    smtpMail,
    virustotal,
  ]);
}
