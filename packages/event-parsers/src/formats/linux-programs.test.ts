import { describe, expect, it } from 'vitest';
import { parseLine } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const sudo = (text: string) => parseLine(`Nov 21 11:59:58 web-1 sudo[99]: ${text}`, { receivedAt });

describe('sudo', () => {
  it.each<[string, string, Record<string, string>]>([
    [
      'www-data : PWD=/var/www ; USER=root ; COMMAND=/bin/bash',
      'success',
      { working_directory: '/var/www', target_user: 'root', command: '/bin/bash' },
    ],
    [
      'www-data : a password is required ; PWD=/var/www ; USER=root ; COMMAND=/bin/bash',
      'failure',
      { reason: 'a password is required', working_directory: '/var/www', target_user: 'root', command: '/bin/bash' },
    ],
    [
      'www-data : TTY=pts/0 ; PWD=/var/www ; USER=root ; COMMAND=/bin/bash',
      'success',
      { terminal: 'pts/0', working_directory: '/var/www', target_user: 'root', command: '/bin/bash' },
    ],
    [
      'www-data : user NOT in sudoers ; TTY=pts/0 ; PWD=/a b ; USER=root ; GROUP=adm ; COMMAND=list',
      'failure',
      {
        reason: 'user NOT in sudoers',
        terminal: 'pts/0',
        working_directory: '/a b',
        target_user: 'root',
        command: 'list',
      },
    ],
    [
      'www-data : PWD=/x ; TTY=pts/0 ; PWD=/y ; USER=root ; COMMAND=/bin/ls',
      'success',
      { working_directory: '/x ; TTY=pts/0 ; PWD=/y', target_user: 'root', command: '/bin/ls' },
    ],
  ])('%s', (text, outcome, fields) => {
    const event = sudo(text);
    expect(event).toMatchObject({
      integration: 'sudo',
      event_type: 'process',
      action: 'run_as',
      outcome,
      user: 'www-data',
    });
    expect(event.fields).toEqual({ app_name: 'sudo', proc_id: '99', ...fields });
  });

  it('says nothing of commands in other lines', () => {
    expect(sudo('www-data : command continued')).toMatchObject({ integration: 'sudo', event_type: 'log', outcome: '' });
  });

  it('is read in linear time', () => {
    for (const piece of [' ; PWD=', ' ; TTY=', 'PWD=a ', ' ; ', ' : ']) sudo(`www-data : ${piece.repeat(150_000)}`);
  }, 20_000);
});
