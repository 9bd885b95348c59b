import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const sessionLifeFile = `${authFolder}/session-life.ts`
const credentialsSql = 'src/server/db/platform/0011_credentials.sql'
const sessionLifeTest = 'tests/api/session-life.test.ts'

/** Breaks of the rules that end sessions, and of the limit on the sessions of a user. */
export const breaksOfSessions: readonly SecurityBreak[] = [
  {
    attack: 'a stolen session that is not used lives for ever',
    file: credentialsSql,
    from: 'p_seen + make_interval(days => nullif(p_idle_days, 0))',
    to: "'infinity'::timestamptz",
    test: sessionLifeTest,
    title: 'ends after 30 days without use',
  },
  {
    attack: 'a stolen session that is used lives for ever',
    file: credentialsSql,
    from: 'p_began + make_interval(days => nullif(p_max_days, 0))',
    to: "'infinity'::timestamptz",
    test: sessionLifeTest,
    title: 'a session ends after 180 days, even if it is used',
  },
  {
    attack: 'a new session has no end',
    file: `${authFolder}/sessions.ts`,
    from: 'auth.session_end(now(), now(), $7, $8)',
    to: 'auth.session_end(now(), now(), $7 * 0, $8 * 0)',
    test: sessionLifeTest,
    title: 'ends after 30 days without use',
  },
  {
    attack: 'a session that has ended is refreshed',
    file: `${authFolder}/refresh.ts`,
    from: "where t.token = $1 and ${activeSessionSql('$2', '$3')}",
    to: 'where t.token = $1 and $2::int >= 0 and $3::int >= 0',
    test: sessionLifeTest,
    title: 'a session ends after 180 days, even if it is used',
  },
  {
    attack: 'the access token of a session that has ended opens /auth/v1',
    file: `${authFolder}/authenticate.ts`,
    from: "and ${activeSessionSql('$3', '$4')}",
    to: 'and $3::int >= 0 and $4::int >= 0',
    test: sessionLifeTest,
    title: 'ends after 30 days without use',
  },
  {
    attack: 'the access token of a session that has ended opens /rest/v1',
    file: 'supabase/migrations/20261207000000_writes_cost_less.sql',
    from: 's.user_id = v_user\n      and (s.not_after is null or s.not_after > now())',
    to: 's.user_id = v_user',
    test: sessionLifeTest,
    title: 'ends after 30 days without use',
  },
  {
    attack: 'the access token of a session that has ended calls functions',
    file: 'supabase/migrations/20261122000001_foundation.sql',
    from: "(v_claims ->> 'sub')::uuid\n    and (s.not_after is null or s.not_after > now())",
    to: "(v_claims ->> 'sub')::uuid",
    test: sessionLifeTest,
    title: 'ends after 30 days without use',
  },
  {
    attack: 'a session without a stored end never ends',
    file: sessionLifeFile,
    from: "return `coalesce(least(s.not_after, auth.session_end(s.created_at,\n    greatest(s.created_at, s.refreshed_at at time zone 'utc'), ${idle}, ${max})), 'infinity') > now()`",
    to: "return `coalesce(s.not_after, 'infinity') > now() and ${idle}::int >= 0 and ${max}::int >= 0`",
    test: sessionLifeTest,
    title: 'without a stored end',
  },
  {
    attack: 'sessions of an older release live for ever',
    file: 'src/server/start-server.ts',
    from: '    await applySessionLife(opened.owner, { idleDays: config.sessionIdleDays, maxDays: config.sessionMaxDays })\n',
    to: '',
    test: sessionLifeTest,
    title: 'an older release',
  },
  {
    attack: 'an unlimited number of sessions of a user',
    file: sessionLifeFile,
    from: 'const maxSessions = 50',
    to: 'const maxSessions = 5000',
    test: sessionLifeTest,
    title: 'a user has at most 50 sessions, and the least recently used ones are deleted',
  },
  {
    attack: 'new sessions of an attacker end the owner’s session that is in use',
    file: sessionLifeFile,
    from: "order by greatest(created_at, refreshed_at at time zone 'utc') desc, id offset $2",
    to: 'order by created_at desc, id offset $2',
    test: sessionLifeTest,
    title: 'an old session that is still used is not deleted when a user has too many',
  },
  {
    attack: 'ended sessions are not deleted',
    file: sessionLifeFile,
    from: 'where user_id = $1 and (not_after < now() or id in (',
    to: 'where user_id = $1 and (id in (',
    test: sessionLifeTest,
    title: 'the ended sessions of a user are deleted at the next sign-in',
  },
]
