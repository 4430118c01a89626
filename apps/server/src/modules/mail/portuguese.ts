import { outcomeTexts } from '@airdeck/contracts/outcome-texts';

/** Brazilian Portuguese of what mails and notices say, by the English sentence. */
export const portuguese = {
  // Codes and what happens to an account.
  'Your {productName} code': 'Seu código do {productName}',
  'Your code is {code}. It is valid for 10 minutes and works once, in the browser you asked for it in. Enter it here:':
    'Seu código é {code}. Ele vale por 10 minutos e funciona uma vez, no navegador em que você o pediu. Digite-o aqui:',
  '{productName}: choose a new password': '{productName}: escolha uma nova senha',
  'You are signed out until then. Ask for a code here:': 'Até lá você fica desconectado. Peça um código aqui:',
  'If this was not you, nothing has happened: you can delete this mail.':
    'Se não foi você, nada aconteceu: você pode apagar este e-mail.',
  'Somebody asked for a new password for this account.': 'Alguém pediu uma nova senha para esta conta.',
  'An administrator asks you to choose a new password.': 'Um administrador pede que você escolha uma nova senha.',
  '{productName}: this account has no password': '{productName}: esta conta não tem senha',
  'Somebody asked for a new password, but this account signs in through another service. Choose it here:':
    'Alguém pediu uma nova senha, mas esta conta entra por outro serviço. Escolha-o aqui:',
  'Your password was changed': 'Sua senha foi alterada',
  'A new authenticator app was set up': 'Um novo aplicativo autenticador foi configurado',
  'New recovery codes were made': 'Novos códigos de recuperação foram criados',
  '{what} for the account {to}.': '{what} na conta {to}.',
  'If this was not you, set a new password at once:': 'Se não foi você, defina uma nova senha imediatamente:',
  // Sign-up.
  'Your code for {productName}': 'Seu código para o {productName}',
  'Your code is {code}.': 'Seu código é {code}.',
  'Enter it to finish signing up for {productName}. It works once, within {minutes} minutes, in the browser you began in.':
    'Digite-o para concluir o cadastro no {productName}. Ele funciona uma vez, em até {minutes} minutos, no navegador em que você começou.',
  'If you did not sign up, ignore this mail: without the code nothing happens.':
    'Se você não se cadastrou, ignore este e-mail: sem o código nada acontece.',
  'You already have an account for {productName}': 'Você já tem uma conta no {productName}',
  'Somebody, probably you, tried to sign up for {productName} with this address.':
    'Alguém, provavelmente você, tentou se cadastrar no {productName} com este endereço.',
  'There is an account with it already: sign in instead. If you forgot your password, choose a new one there.':
    'Já existe uma conta com ele: entre nela. Se esqueceu a senha, escolha uma nova lá.',
  'If it was not you, ignore this mail: nothing was changed.':
    'Se não foi você, ignore este e-mail: nada foi alterado.',
  // Invitations.
  'Invitation to {tenant} on {productName}': 'Convite para {tenant} no {productName}',
  'Hello {name},': 'Olá, {name},',
  '{by} invites you to work in {tenant} on {productName}, with the role {role}.':
    '{by} convida você a trabalhar em {tenant} no {productName}, com o papel {role}.',
  'Open this link to accept. It works once, within {days} days:':
    'Abra este link para aceitar. Ele funciona uma vez, em até {days} dias:',
  'If you did not expect this, ignore this mail: without the link nothing happens.':
    'Se você não esperava isto, ignore este e-mail: sem o link nada acontece.',
  Admin: 'Administrador',
  Analyst: 'Analista',
  'Read Only': 'Somente leitura',
  'System Manager': 'Gestor de sistemas',
  // Severities of cases.
  low: 'baixa',
  medium: 'média',
  high: 'alta',
  critical: 'crítica',
  // Escalations of cases.
  '{reference} waits for a response: {name}': '{reference} espera uma resposta: {name}',
  '{name},': '{name},',
  'nobody has responded to {reference} ({severity}) of {tenant} since {since}.':
    'ninguém respondeu a {reference} (severidade {severity}) de {tenant} desde {since}.',
  'A response was due by {time}.': 'O prazo de resposta terminou em {time}.',
  // Reports of searches.
  'Search report "{name}" is ready': 'Relatório de pesquisa "{name}": pronto',
  'Search report "{name}" could not be made': 'Relatório de pesquisa "{name}": não pôde ser feito',
  'It has 1 event.': 'Ele tem 1 evento.',
  'It has {count} events.': 'Ele tem {count} eventos.',
  'Older ones were left out, because a file holds no more.':
    'Os mais antigos ficaram de fora, porque um arquivo não comporta mais.',
  'Older ones were left out, because the plan reaches no further back.':
    'Os mais antigos ficaram de fora, porque o plano não alcança mais longe.',
  [outcomeTexts.SEARCH_REPORT_LOST]:
    'O programa parou cada vez que gravou este arquivo. Restrinja a pesquisa e tente de novo.',
  [outcomeTexts.SEARCH_REPORT_NO_ROOM]: 'Não há espaço para mais um relatório. Exclua alguns de que não precisa.',
  [outcomeTexts.SEARCH_REPORT_UNWRITTEN]: 'O arquivo não pôde ser gravado.',
  [outcomeTexts.SEARCH_REPORT_TOO_COSTLY]:
    'A pesquisa precisa de tempo ou memória demais. Restrinja-a e tente de novo.',
  [outcomeTexts.SEARCH_REPORT_UNREADABLE]: 'O armazenamento de eventos não pôde ler esta pesquisa.',
  [outcomeTexts.REPORT_UNFINISHED]: 'Ele nunca chegou a ser terminado.',
  'Sign in to download it:': 'Entre para baixá-lo:',
  'Sign in to see more:': 'Entre para ver mais:',
  'Tenant: {tenant}': 'Tenant: {tenant}',
  // Executive reports.
  [outcomeTexts.EXECUTIVE_REPORT_LOST]:
    'O programa parou cada vez que fez este relatório. Faça-o de novo; se falhar outra vez, avise quem administra esta instalação.',
  [outcomeTexts.EXECUTIVE_REPORT_FAILED]: 'O relatório não pôde ser feito.',
  'Open it until {until}; whoever has this link can:': 'Abra até {until}; quem tem este link pode abrir:',
  'All reports, after signing in:': 'Todos os relatórios, após entrar:',
  // Notifications by mail.
  'Answer after signing in; each link is yours alone and counts once.':
    'Responda depois de entrar; cada link é só seu e vale uma vez.',
  'Read more:': 'Leia mais:',
  'Your account': 'Sua conta',
  'and {count} more.': 'e mais {count}.',
  'and {count} more:': 'e mais {count}:',
  'open {productName}': 'abrir {productName}',
  '{count} notifications': '{count} notificações',
  'What you are told, and how, is up to you:': 'O que você recebe, e como, depende de você:',
  // Notices, which mails, Slack and the dashboard show.
  '{reference} opened: {name}': '{reference} aberto: {name}',
  'Severity {severity}.': 'Severidade {severity}.',
  '{reference} is yours: {name}': '{reference} é seu: {name}',
  '{by} assigned this case to you.': '{by} atribuiu este caso a você.',
  '{by} mentioned you in {reference}: {name}': '{by} mencionou você em {reference}: {name}',
  '{name} waits for an answer': '{name} espera uma resposta',
  '{name} failed': '{name} falhou',
  '{name} is ready': '{name}: pronto',
  '{name} could not be made': '{name}: não pôde ser feito',
  'It can be downloaded from the list of reports.': 'Ele pode ser baixado na lista de relatórios.',
  '{reference} is late for a response: {name}': '{reference} está atrasado para uma resposta: {name}',
  '{reference} is late for closing: {name}': '{reference} está atrasado para o fechamento: {name}',
  '{reference} is soon due for a response: {name}': 'O prazo de resposta de {reference} está perto: {name}',
  '{reference} is soon due for closing: {name}': 'O prazo de fechamento de {reference} está perto: {name}',
  'Due {time}.': 'Prazo: {time}.',
  '{name}: automation loop stopped': '{name}: ciclo de automação interrompido',
  'It answered {answers} cases within {minutes} minutes and starts nothing until {until}. If {response} makes the very events that start it, switch it off or give it a condition.':
    'Respondeu a {answers} casos em {minutes} minutos e não inicia nada até {until}. Se {response} produz os próprios eventos que a iniciam, desligue-a ou dê a ela uma condição.',
  'It answered {answers} alerts within {minutes} minutes and starts nothing until {until}. If {response} makes the very alerts that start it, switch it off or give it a condition.':
    'Respondeu a {answers} alertas em {minutes} minutos e não inicia nada até {until}. Se {response} produz os próprios alertas que a iniciam, desligue-a ou dê a ela uma condição.',
  '{name} works again': '{name} funciona de novo',
  '{name} is down': '{name} está fora do ar',
  'It was down since {from}.': 'Estava fora do ar desde {from}.',
  'Since {from}. {reason}': 'Desde {from}. {reason}',
  '{name} sends events again': '{name} envia eventos de novo',
  '{name} sends no events any more': '{name} não envia mais eventos',
  'It was silent since {last}.': 'Estava em silêncio desde {last}.',
  'The last one came {last}.': 'O último chegou em {last}.',
  '{domain} is no longer proved': '{domain} não está mais comprovado',
  'The record that proves {domain} is gone': 'O registro que comprova {domain} sumiu',
  'Its DNS record was gone for a week. Nobody is sent to single sign-on by it, and nobody joins, until it is proved again.':
    'O registro DNS dele sumiu por uma semana. Ninguém é levado ao login único por ele, e ninguém entra, até que seja comprovado de novo.',
  'Set it again by {until}, or single sign-on stops taking addresses of the domain.':
    'Defina-o de novo até {until}, ou o login único deixa de aceitar endereços do domínio.',
  'Calls of the API fail': 'Chamadas da API falham',
  'Calls of the API are slow': 'Chamadas da API estão lentas',
  'Deliveries of events are refused': 'Entregas de eventos são recusadas',
  'Events are acknowledged late': 'Eventos são confirmados com atraso',
  'Runs begin late': 'Execuções começam com atraso',
  '{what}: over': '{what}: normalizado',
  '{what} more often than promised': '{what} mais vezes que o prometido',
  'It is as promised again. Operations shows what was missed.':
    'Está de novo como prometido. Operações mostra o que foi descumprido.',
  'It uses up the room for errors of thirty days too fast. Operations shows how fast, and what waits where.':
    'A margem de erros de trinta dias está sendo gasta rápido demais. Operações mostra com que rapidez, e o que espera onde.',
  'Nobody takes up work': 'Ninguém assume o trabalho',
  'No worker was running at {at}, and work had been due since {since}. Start a process with ROLE=worker.':
    'Nenhum worker estava em execução em {at}, e havia trabalho vencido desde {since}. Inicie um processo com ROLE=worker.',
  'The workers that ran at {at} took none of the work that was due since {since}. Bring all processes to one release, or start them anew.':
    'Os workers em execução em {at} não assumiram nada do trabalho vencido desde {since}. Leve todos os processos a uma só versão ou reinicie-os.',
  'Work is taken up again': 'O trabalho é assumido de novo',
  'The oldest of it was due since {since}. Operations shows what still waits.':
    'O mais antigo estava vencido desde {since}. Operações mostra o que ainda espera.',
  'A sign-in from a new device or network': 'Um login a partir de um novo dispositivo ou rede',
  'Your password was reset': 'Sua senha foi redefinida',
  'An authenticator app was set up for your account': 'Um aplicativo autenticador foi configurado para sua conta',
  'New recovery codes were made for your account': 'Novos códigos de recuperação foram criados para sua conta',
  'A passkey was added to your account': 'Uma chave de acesso foi adicionada à sua conta',
  'A passkey was removed from your account': 'Uma chave de acesso foi removida da sua conta',
  'An external account was linked to yours': 'Uma conta externa foi vinculada à sua',
  'An external account was unlinked from yours': 'Uma conta externa foi desvinculada da sua',
  'A session of yours was used from two places and has been ended':
    'Uma sessão sua foi usada em dois lugares e foi encerrada',
  'If this was you, there is nothing to do. If not, change your password and end your other sessions.':
    'Se foi você, não há nada a fazer. Se não, altere sua senha e encerre suas outras sessões.',
  'If this was you, there is nothing to do. It came from {address}. If not, change your password and end your other sessions.':
    'Se foi você, não há nada a fazer. Veio de {address}. Se não, altere sua senha e encerre suas outras sessões.',
} as const satisfies Readonly<Record<string, string>>;
