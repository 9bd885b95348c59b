import type { SecurityBreak } from './break.ts'

const databaseAwayTest = 'tests/api/http-database-away.test.ts'
const resetsTest = 'tests/api/http-resets.test.ts'
const embeddedTest = 'src/server/db/embedded.test.ts'
const supervisorTest = 'tests/api/supervisor.test.ts'
const mailJourneysTest = 'tests/e2e/mail-journeys.spec.ts'

/** Breaks of the defences of the process and its database, and of the data that browsers store and show. */
export const breaksOfServer: readonly SecurityBreak[] = [
  {
    attack: 'a connection that is lost inside a transaction ends the process',
    file: 'src/server/db/owner-role-pool.ts',
    from: "    this.on('connect', (client) => client.on('error', () => {}))\n",
    to: '',
    test: databaseAwayTest,
    title: 'a connection that is lost inside a transaction',
    failureText: 'fetch failed',
  },
  {
    attack: 'an idle connection that is lost ends the process',
    file: 'src/server/db/owner-role-pool.ts',
    from: "    this.on('error', (error) => log.debug({ reason: error.message }, 'a connection of the owner role was lost'))\n",
    to: '',
    test: databaseAwayTest,
    title: 'a connection that is lost inside a transaction',
    failureText: 'fetch failed',
  },
  {
    // Only a refused CONNECT shows this break: the socket of a refused upgrade has another error listener, too.
    attack: 'a reset at a random point of a request ends the process',
    file: 'src/server/http/listener.ts',
    from: "  server.on('connection', handleSocketErrors)\n",
    to: '',
    test: resetsTest,
    title: 'at any point of any request',
    failureText: 'ECONN',
  },
  {
    attack: 'another user of the machine reads DATA_DIR',
    file: 'src/server/db/private-directory.ts',
    from: '      chmodSync(dataDir, 0o700)\n',
    to: '',
    test: embeddedTest,
    title: 'other users cannot enter DATA_DIR, even if they could before',
  },
  {
    attack: 'a program that runs as postgres reads the database',
    file: 'src/server/db/system-user.ts',
    from: '  if (owner && !mayBeSharedAccount(owner)) return owner\n  const ownUser = lookUp(ownUserName)',
    to: "  if (owner) return owner\n  const ownUser = lookUp('postgres')",
    test: embeddedTest,
    title: 'the database of a server that runs as root runs as a separate account',
  },
  {
    attack: 'a database cluster that belongs to the shared account `nobody` keeps its owner',
    file: 'src/server/db/system-user.ts',
    from: 'if (owner && !mayBeSharedAccount(owner)) return owner',
    to: 'if (owner) return owner',
    test: embeddedTest,
    title: 'a cluster that a shared account owns gets the separate account as its owner',
  },
  {
    attack: 'the database of a killed server keeps running',
    file: 'src/server/db/embedded.ts',
    from: 'isGuarded: true,',
    to: 'isGuarded: false,',
    test: embeddedTest,
    title: 'if a server is killed, its database is stopped',
  },
  {
    attack: 'the database that was left running blocks the next start',
    file: 'src/server/db/embedded.ts',
    from: '  await stopOrphan(dataDirectory, log)\n',
    to: '',
    test: embeddedTest,
    title: 'is stopped by the next server',
    failureText: 'Error',
  },
  {
    attack: 'a killed server is not restarted',
    file: 'scripts/supervise.mjs',
    from: '      setTimeout(start, delay)\n',
    to: '      process.exit(code ?? 1)\n',
    test: supervisorTest,
    title:
      'npm start restarts a killed server and exits with code 0 on SIGTERM; no process is left after the supervisor alone, or the supervisor and the server, were killed',
    failureText: 'the supervisor ended',
  },
  {
    attack: 'a server whose supervisor was killed keeps running',
    file: 'src/server/main.ts',
    from: "  if (process.connected) process.once('disconnect', onSignal)\n  else onSignal()\n",
    to: '',
    test: supervisorTest,
    title:
      'npm start restarts a killed server and exits with code 0 on SIGTERM; no process is left after the supervisor alone, or the supervisor and the server, were killed',
    failureText: 'still runs',
  },
  {
    attack: 'a server that crashes repeatedly is restarted without a delay',
    file: 'scripts/restart-delay.mjs',
    from: 'const delaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]',
    to: 'const delaysMs = [0, 0, 0, 0, 0, 0, 0, 0]',
    test: 'scripts/restart-delay.test.ts',
    title: 'delays grow up to 30 s',
  },
  {
    attack: 'a mailed link’s token goes to the server and its logs',
    file: 'src/server/auth/mail/link.ts',
    from: '/auth/confirm#${parameters}',
    to: '/auth/confirm?${parameters}',
    test: mailJourneysTest,
    title: 'the token of a link is sent in no request',
  },
  {
    attack: 'a mailed link’s token stays in the browser’s history',
    file: 'src/web/pages/guards.ts',
    from: 'return leadToLink(mailedLinkOf(address))',
    to: 'return leadToLink(mailedLinkOf(address) && null)',
    test: mailJourneysTest,
    title: 'the token of a link is sent in no request',
  },
  {
    attack: 'a person is seen online in a brand that they have not opened',
    file: 'src/web/data/sync/presence.ts',
    from: 'if (hasOpened(device).get()) void ownTab(device).joined',
    to: 'void ownTab(device).joined',
    test: 'tests/e2e/added-to-brand.spec.ts',
    title: "before the opening the person's presence is not announced",
  },
  {
    attack: 'a brand to which another person added the user opens without a confirmation',
    file: 'src/web/data/people/brand-opening.ts',
    from: 'if (!hasOpened(data.device).get() || isRequested) return',
    to: 'if (isRequested) return',
    test: 'tests/e2e/added-to-brand.spec.ts',
    title: "a person's only brand is selected automatically, and its notice",
  },
]
