import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { abuseipdb } from './abuseipdb/abuseipdb.ts';
import { aws } from './aws/aws.ts';
import { crowdstrike } from './crowdstrike/crowdstrike.ts';
import { fortigate } from './fortigate/fortigate.ts';
import { github } from './github/github.ts';
import { graylog } from './graylog/graylog.ts';
import { httpRequest } from './http-request/http-request.ts';
import { incomingWebhook } from './incoming-webhook/incoming-webhook.ts';
import { jira } from './jira/jira.ts';
import { microsoftGraph } from './microsoft-graph/microsoft-graph.ts';
import { okta } from './okta/okta.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { panos } from './panos/panos.ts';
import { servicenow } from './servicenow/servicenow.ts';
import { slack } from './slack/slack.ts';
import { smtpMail } from './smtp-mail/smtp-mail.ts';
import { syslog } from './syslog/syslog.ts';
import { virustotal } from './virustotal/virustotal.ts';

/** All connectors of the product. Throws `RegistryError` when one of them does not keep its own promises. */
export function createConnectorRegistry(): ConnectorRegistry {
  return createRegistry([
    abuseipdb,
    aws,
    crowdstrike,
    fortigate,
    github,
    graylog,
    httpRequest,
    incomingWebhook,
    jira,
    microsoftGraph,
    okta,
    pagerduty,
    panos,
    servicenow,
    slack,
    smtpMail,
    syslog,
    virustotal,
  ]);
}
