import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { configText, configTextOr } from '../config-values.ts';

export type AwsService = 'guardduty' | 'cloudtrail' | 'iam' | 'sts';

/** Region names, which become part of a host name. */
export const REGION_PATTERN = '^[a-z]{2}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}$';

type Partition = {
  readonly prefix: string;
  readonly suffix: string;
  /** IAM has one endpoint for a whole partition, and signatures for it name this region. */
  readonly iamHost: string;
  readonly iamRegion: string;
  /** Of ARNs: `arn:aws-cn:…`. */
  readonly name: string;
};

/** The first whose prefix fits a region. */
const partitions: readonly Partition[] = [
  {
    prefix: 'cn-',
    suffix: 'amazonaws.com.cn',
    iamHost: 'iam.cn-north-1.amazonaws.com.cn',
    iamRegion: 'cn-north-1',
    name: 'aws-cn',
  },
  {
    prefix: 'us-gov-',
    suffix: 'amazonaws.com',
    iamHost: 'iam.us-gov.amazonaws.com',
    iamRegion: 'us-gov-west-1',
    name: 'aws-us-gov',
  },
];
const standard: Partition = {
  prefix: '',
  suffix: 'amazonaws.com',
  iamHost: 'iam.amazonaws.com',
  iamRegion: 'us-east-1',
  name: 'aws',
};

/** Where a service is called and which region its signatures name. An own endpoint serves all of them, as local ones do. */
export function awsEndpoint(config: JsonObject, service: AwsService): { baseUrl: string; region: string } {
  const region = regionOf(config);
  const { suffix, iamHost, iamRegion } = partitionOf(region);
  const host = service === 'iam' ? iamHost : `${service}.${region}.${suffix}`;
  const baseUrl = configTextOr(config, 'endpoint_url', `https://${host}`).replace(/\/+$/, '');
  return { baseUrl, region: service === 'iam' ? iamRegion : region };
}

/** The ARN of a policy that AWS itself keeps. */
export function managedPolicyArn(config: JsonObject, name: string): string {
  return `arn:${partitionOf(regionOf(config)).name}:iam::aws:policy/${name}`;
}

function regionOf(config: JsonObject): string {
  const region = configText(config, 'region');
  if (new RegExp(REGION_PATTERN).test(region)) return region;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The region must be written like eu-central-1.');
}

function partitionOf(region: string): Partition {
  return partitions.find(({ prefix }) => region.startsWith(prefix)) ?? standard;
}
