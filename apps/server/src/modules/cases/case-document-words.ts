/** What a case says as a PDF, in English and in Portuguese. */
import type { CaseEntityKind } from '@airdeck/contracts/cases/schema';
import type { CaseSeverity, CaseStatus, CloseReason, RunStatus } from '@airdeck/contracts/statuses';
import type { Locale } from '@airdeck/domain/display-time';

type Words = {
  caseOf: (tenant: string) => string;
  made: (time: string) => string;
  page: (page: number, pages: number) => string;
  facts: string;
  entities: string;
  responses: string;
  story: string;
  events: string;
  related: string;
  severity: string;
  status: string;
  reason: string;
  assignee: string;
  nobody: string;
  policy: string;
  byHand: string;
  author: string;
  licence: string;
  sources: string;
  tags: string;
  eventCount: string;
  firstEvent: string;
  opened: string;
  acknowledged: string;
  closed: string;
  by: (time: string, person: string) => string;
  respondBy: string;
  resolveBy: string;
  late: string;
  missed: string;
  waiting: string;
  automation: string;
  when: string;
  who: string;
  what: string;
  value: string;
  kind: string;
  source: string;
  message: string;
  case: string;
  leftOut: (shown: string, all: string) => string;
  olderLeftOut: (count: string) => string;
  noEvents: string;
  severities: Readonly<Record<CaseSeverity, string>>;
  statuses: Readonly<Record<CaseStatus, string>>;
  closeReasons: Readonly<Record<CloseReason, string>>;
  runStatuses: Readonly<Record<RunStatus, string>>;
  entityKinds: Readonly<Record<CaseEntityKind, string>>;
};

const en: Words = {
  caseOf: (tenant) => `Case of ${tenant}`,
  made: (time) => `Made ${time}`,
  page: (page, pages) => `Page ${page} of ${pages}`,
  facts: 'Facts',
  entities: 'What it is about',
  responses: 'Responses',
  story: 'Story',
  events: 'Matched events',
  related: 'Related cases',
  severity: 'Severity',
  status: 'Status',
  reason: 'Close reason',
  assignee: 'Assignee',
  nobody: 'Nobody',
  policy: 'Policy',
  byHand: 'Opened by hand',
  author: 'Author of the rule',
  licence: 'License of the rule',
  sources: 'Sources',
  tags: 'Tags',
  eventCount: 'Events',
  firstEvent: 'First event',
  opened: 'Opened',
  acknowledged: 'Acknowledged',
  closed: 'Closed',
  by: (time, person) => `${time}, ${person}`,
  respondBy: 'Respond by',
  resolveBy: 'Close by',
  late: 'Time targets',
  missed: 'Missed',
  waiting: 'Waits on the customer since',
  automation: 'Automation',
  when: 'When',
  who: 'Who',
  what: 'What',
  value: 'Value',
  kind: 'Kind',
  source: 'Source',
  message: 'Message',
  case: 'Case',
  leftOut: (shown, all) => `The first ${shown} of ${all} events. The export as JSON holds more.`,
  olderLeftOut: (count) => `${count} older entries are not in here.`,
  noEvents: 'No events belong to it.',
  severities: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
  statuses: { open: 'Open', acknowledged: 'Acknowledged', closed: 'Closed' },
  closeReasons: {
    true_positive: 'True positive',
    false_positive: 'False positive',
    benign: 'Benign',
    duplicate: 'Duplicate',
  },
  runStatuses: {
    pending: 'Pending',
    waiting: 'Waiting',
    running: 'Running',
    cancelled: 'Cancelled',
    success: 'Success',
    error: 'Error',
  },
  entityKinds: { user: 'User', host: 'Host', address: 'Address', hash: 'Hash' },
};

const pt: Words = {
  caseOf: (tenant) => `Caso de ${tenant}`,
  made: (time) => `Feito em ${time}`,
  page: (page, pages) => `Página ${page} de ${pages}`,
  facts: 'Dados',
  entities: 'Do que se trata',
  responses: 'Respostas',
  story: 'Histórico',
  events: 'Eventos correspondentes',
  related: 'Casos relacionados',
  severity: 'Severidade',
  status: 'Status',
  reason: 'Motivo do fechamento',
  assignee: 'Responsável',
  nobody: 'Ninguém',
  policy: 'Política',
  byHand: 'Aberto manualmente',
  author: 'Autor da regra',
  licence: 'Licença da regra',
  sources: 'Fontes',
  tags: 'Etiquetas',
  eventCount: 'Eventos',
  firstEvent: 'Primeiro evento',
  opened: 'Aberto',
  acknowledged: 'Reconhecido',
  closed: 'Fechado',
  by: (time, person) => `${time}, ${person}`,
  respondBy: 'Responder até',
  resolveBy: 'Fechar até',
  late: 'Prazos',
  missed: 'Perdidos',
  waiting: 'Espera pelo cliente desde',
  automation: 'Automação',
  when: 'Quando',
  who: 'Quem',
  what: 'O quê',
  value: 'Valor',
  kind: 'Tipo',
  source: 'Fonte',
  message: 'Mensagem',
  case: 'Caso',
  leftOut: (shown, all) => `Os primeiros ${shown} de ${all} eventos. A exportação como JSON contém mais.`,
  olderLeftOut: (count) => `${count} registros mais antigos não estão aqui.`,
  noEvents: 'Nenhum evento pertence a ele.',
  severities: { critical: 'Crítica', high: 'Alta', medium: 'Média', low: 'Baixa' },
  statuses: { open: 'Aberto', acknowledged: 'Reconhecido', closed: 'Fechado' },
  closeReasons: {
    true_positive: 'Verdadeiro positivo',
    false_positive: 'Falso positivo',
    benign: 'Benigno',
    duplicate: 'Duplicado',
  },
  runStatuses: {
    pending: 'Pendente',
    waiting: 'Aguardando',
    running: 'Em andamento',
    cancelled: 'Cancelada',
    success: 'Sucesso',
    error: 'Erro',
  },
  entityKinds: { user: 'Usuário', host: 'Host', address: 'Endereço', hash: 'Hash' },
};

export const caseDocumentWords: Readonly<Record<Locale, Words>> = { 'en-US': en, 'en-CA': en, 'pt-BR': pt };
