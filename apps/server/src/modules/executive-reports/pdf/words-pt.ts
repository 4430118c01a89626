import type { Words } from './words-en.ts';

const of = (count: string | number | undefined, one: string, more: string) =>
  `${count} ${Number(count) === 1 ? one : more}`;

/** One case was answered or not; of several it is a share. */
const answered = (v: { opened: number; answered: string }) =>
  v.opened === 1
    ? 'Ele teve uma resposta automática bem-sucedida'
    : `${v.answered} deles tiveram uma resposta automática bem-sucedida`;

export const wordsPt: Words = {
  title: 'Relatório de segurança',
  kicker: 'Relatório mensal de segurança',
  partial: 'Mês em andamento',
  confidential: 'Confidencial',
  period: 'Período',
  made: 'Gerado em',
  by: 'Por',
  page: (page, pages) => `Página ${page} de ${pages}`,
  none: 'Nenhum',

  summary: 'Resumo',
  summaryText: (v) =>
    `${v.opened === 1 ? 'Foi aberto' : 'Foram abertos'} ${v.cases} ${v.opened === 1 ? 'caso' : 'casos'}${v.change}. ${answered(v)}, e a automação economizou cerca de ${v.saved} de trabalho.`,
  summaryAnswered: (v) =>
    `${v.opened === 1 ? 'Foi aberto' : 'Foram abertos'} ${v.cases} ${v.opened === 1 ? 'caso' : 'casos'}${v.change}. ${answered(v)}.`,
  summaryUnanswered: (v) =>
    `${v.opened === 1 ? 'Foi aberto' : 'Foram abertos'} ${v.cases} ${v.opened === 1 ? 'caso' : 'casos'}${v.change}. A automação não respondeu a nenhum com sucesso.`,
  summaryEmpty: 'Nenhum caso foi aberto. O que foi vigiado, e como, está nas páginas seguintes.',
  more: (count, month) => `, ${count} a mais que em ${month}`,
  fewer: (count, month) => `, ${count} a menos que em ${month}`,
  asMany: (month) => `, tantos quanto em ${month}`,
  versus: (change, month) => `${change} vs. ${month}`,
  unchanged: (month) => `como em ${month}`,
  noneBefore: (month) => `nenhum em ${month}`,
  actFirst: 'O que fazer primeiro',
  nothingToDo: 'Nada se destaca neste mês. Os números estão nas páginas seguintes.',

  casesOpened: 'Casos abertos',
  severe: 'Críticos e altos',
  casesClosed: 'Fechados até agora',
  answeredShare: 'Respondidos automaticamente',
  manualMttd: 'Tempo até reconhecer (pessoas)',
  manualMttr: 'Tempo até fechar (pessoas)',
  timeSaved: 'Trabalho economizado',
  eventsCollected: 'Eventos coletados',

  cases: 'Casos',
  casesByWeek: 'Casos por semana e severidade',
  mttdByWeek: 'Tempo médio de detecção (MTTD) por semana',
  mttrByWeek: 'Tempo médio de resposta (MTTR) por semana',
  manual: 'Por pessoas',
  automated: 'Automático',
  noMeans: 'Nada a calcular neste mês.',
  mttdNote: 'Automático: do primeiro evento ao caso. Por pessoas: do caso ao reconhecimento.',
  mttrNote: 'Automático: do caso à primeira resposta bem-sucedida. Por pessoas: do caso ao fechamento.',
  targets: (v) =>
    `De ${of(v.with_targets, 'caso', 'casos')} com prazos, ${of(v.late_responses, 'passou', 'passaram')} do prazo de resposta e ${of(v.late_resolutions, 'passou', 'passaram')} do prazo de fechamento.`,
  noTargets: 'Nenhum caso deste mês tinha prazos.',
  noCases: 'Nenhum caso neste mês.',

  notable: 'Casos notáveis',
  notableNote: 'Primeiro os mais severos e, entre eles, os com mais eventos.',
  reference: 'Caso',
  what: 'O que aconteceu',
  opened: 'Aberto',
  state: 'Status',
  events: 'Eventos',
  automaticShort: 'resposta automática',

  automation: 'Automação',
  playbookRuns: 'Execuções de playbooks',
  actionsRun: 'Ações executadas',
  failedRuns: 'Execuções com falha',
  topPlaybooks: 'Playbooks mais executados',
  topActions: 'Ações mais executadas',
  name: 'Nome',
  runs: 'Execuções',
  succeeded: 'Com sucesso',
  failed: 'Com falha',
  saved: 'Economizado',
  savedNote: (minutes) => `O trabalho economizado é uma suposição: cada ação bem-sucedida conta ${minutes}.`,
  effects: { reads: 'que consulta', changes: 'que altera algo', destroys: 'que remove algo' },
  noAutomation: 'Nada foi executado neste mês.',
  runsDeleted: (date) =>
    `As execuções anteriores a ${date} não são mais guardadas; não é possível dizer o que foi executado neste mês.`,
  runsKeptFrom: (date) => `As execuções anteriores a ${date} não são mais guardadas e não são contadas aqui.`,

  coverage: 'Cobertura',
  coverageNote: 'Táticas do MITRE ATT&CK, na ordem de um ataque, pelas políticas ativas que nomeiam uma técnica delas.',
  tactic: 'Tática',
  policies: 'Políticas ativas',
  techniques: 'Técnicas',
  uncovered: 'sem cobertura',
  tactics: {
    Reconnaissance: 'Reconhecimento',
    'Initial access': 'Acesso inicial',
    Execution: 'Execução',
    Persistence: 'Persistência',
    'Privilege escalation': 'Escalação de privilégios',
    'Defense evasion': 'Evasão de defesas',
    'Credential access': 'Acesso a credenciais',
    Discovery: 'Descoberta',
    'Lateral movement': 'Movimento lateral',
    Collection: 'Coleta',
    'Command and control': 'Comando e controle',
    Exfiltration: 'Exfiltração',
    Impact: 'Impacto',
    Other: 'Outras',
  },

  volume: 'Coleta de logs',
  volumeByDay: 'Eventos por dia',
  source: 'Fonte',
  share: 'Parcela',
  bytes: 'Tamanho',
  change: 'Variação',
  otherSources: (count) => of(count, 'outra fonte', 'outras fontes'),
  silent: 'Fontes silenciosas',
  andMore: (count) => `e mais ${count}`,
  noEvents: 'Nenhum evento neste mês.',

  recommendations: 'Recomendações',
  weights: { now: 'Agora', soon: 'Em breve', later: 'Depois' },
  recommend: {
    automation_off: () => [
      'Reativar a automação',
      'A automação está desligada: nenhuma resposta começa sozinha, seja o que for detectado.',
    ],
    connectors_failing: (v) => [
      `Reparar ${of(v.count, 'conector', 'conectores')}`,
      `${v.names}: o último teste ou a última busca falhou; faltam eventos, e ações por eles terminam em erro.`,
    ],
    silent_sources: (v) => [
      `Descobrir por que ${of(v.count, 'fonte está silenciosa', 'fontes estão silenciosas')}`,
      `${v.names}: nada chegou ultimamente. O que não é coletado não pode ser detectado.`,
    ],
    no_policies: () => ['Ativar políticas', 'Nenhuma política está ativa; nada do que é coletado pode abrir um caso.'],
    sla_missed: (v) => [
      'Cumprir os prazos',
      `${of(v.responses, 'caso foi reconhecido', 'casos foram reconhecidos')} tarde ou ainda não, e ${of(v.resolutions, 'foi fechado tarde ou continua aberto', 'foram fechados tarde ou continuam abertos')} além do prazo. Veja quem está de plantão quando os casos são abertos, ou responda mais deles automaticamente.`,
    ],
    members_without_mfa: (v) => [
      'Autenticador para todos',
      `${v.count} de ${of(v.members, 'membro entra', 'membros entram')} só com senha. Uma senha roubada é então o bastante.`,
    ],
    volume_dropped: (v) => [
      'Verificar o que é coletado',
      `${v.percent}% menos eventos que no mês anterior. Se nada foi desligado de propósito, uma fonte se perdeu.`,
    ],
    cases_standing: (v) => [
      'Fechar casos antigos',
      `${of(v.count, 'caso está aberto', 'casos estão abertos')} há mais de uma semana.`,
    ],
    runs_failing: (v) => [
      'Corrigir playbooks com falha',
      `${v.failed} de ${of(v.runs, 'execução falhou', 'execuções falharam')}. Cada uma é uma resposta que não aconteceu.`,
    ],
    slower: (v) => [
      'Ver por que fechar demora mais',
      `As pessoas levaram ${v.percent}% mais tempo para fechar um caso que no mês anterior.`,
    ],
    unanswered: (v) => [
      'Responder mais casos automaticamente',
      `${v.count} de ${of(v.cases, 'caso', 'casos')} ${Number(v.count) === 1 ? 'não teve' : 'não tiveram'} resposta automática bem-sucedida. Um playbook rende primeiro nas políticas que mais abrem casos.`,
    ],
    noisy_policies: (v) => [
      `Ajustar ${of(v.count, 'política', 'políticas')}`,
      `${v.names}: mais da metade dos casos eram falsos positivos ou benignos.`,
    ],
    tactics_uncovered: (v) => [
      'Ampliar a cobertura das táticas de ataque',
      `${v.count} de ${v.tactics} táticas ${Number(v.count) === 1 ? 'não tem' : 'não têm'} política ativa: ${v.tactic_names}.`,
    ],
    policies_off: (v) => [
      'Decidir sobre políticas inativas',
      `${v.count} de ${of(v.policies, 'política está inativa', 'políticas estão inativas')}. Teste cada uma com os eventos passados e depois ative ou exclua.`,
    ],
  },

  severities: { critical: 'Crítica', high: 'Alta', medium: 'Média', low: 'Baixa' },
  statuses: { open: 'Aberto', acknowledged: 'Reconhecido', closed: 'Fechado' },
  closeReasons: {
    true_positive: 'verdadeiro positivo',
    false_positive: 'falso positivo',
    benign: 'benigno',
    duplicate: 'duplicado',
  },
  runStatuses: {
    success: 'Sucesso',
    error: 'Erro',
    cancelled: 'Cancelada',
    running: 'Em andamento',
    waiting: 'Aguardando',
    pending: 'Pendente',
  },
};
