import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { fortigate } from './fortigate/fortigate.ts';
import { graylog } from './graylog/graylog.ts';
import { httpRequest } from './http-request/http-request.ts';
import { panos } from './panos/panos.ts';
import { smtpMail } from './smtp-mail/smtp-mail.ts';

const [one = '', other = ''] = rootCertificates;
const cutOff = one.slice(0, one.length / 2);
const broken = one.replace(/(CERTIFICATE-----\s)\S{8}/, '$1AAAAAAAA');
const key = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----';

describe.each([fortigate, graylog, httpRequest, panos, smtpMail])(
  'the certificate authority of a connector for $name',
  ({ configProblems }) => {
    const problemsOf = (ca_certificate: string) => configProblems?.({ ca_certificate });

    it('is any number of certificates, with text around them', () => {
      for (const text of ['', one, `${one}\n${other}\n`, `subject=CN = a\n${one.replaceAll('\n', '\r\n')}\r\n`]) {
        expect(problemsOf(text)).toEqual([]);
      }
    });

    it('may have a key or parameters beside it, as some files of servers do', () => {
      const parameters = '-----BEGIN DH PARAMETERS-----\nMAYCAQUCAQI=\n-----END DH PARAMETERS-----';
      for (const more of [key, parameters]) {
        for (const text of [`${one}\n${more}\n`, `${more}\n${one}\n`]) expect(problemsOf(text)).toEqual([]);
      }
    });

    it('is refused by its name where it holds none, or none that can be read', () => {
      const told = (words: string) => [
        expect.objectContaining({
          field: 'ca_certificate',
          message: expect.stringContaining(words),
          reason: expect.stringMatching(/^CONNECTOR_CA_/),
        }),
      ];
      for (const text of ['none', ' ', key, cutOff]) expect(problemsOf(text)).toEqual(told('holds no certificate'));
      expect(problemsOf(broken)).toEqual(told('cannot be read'));
      expect(problemsOf(`${one}\n${broken}`)).toEqual(told('cannot be read'));
      for (const text of [`${one}\n${cutOff}`, `${cutOff}\n${one}`]) expect(problemsOf(text)).toEqual(told('cut off'));
    });
  },
);
