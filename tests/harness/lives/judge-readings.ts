import { isEmpty, readAll, type Reading, readersOf } from './reader.ts'
import { complain, markerPattern, roleOf, type Session, type World } from './world.ts'

/** Lets the sessions of `readersOf` read everything, and records a complaint for all content that a session may not read. */
export async function judgeReadings(world: World): Promise<void> {
  for (const session of readersOf(world)) {
    for (const reading of await readAll(world, session)) {
      judgeMarkers(world, session, reading)
      if (!session.isAlive && !isEmpty(reading))
        complain(world, `${session.name} has ended, and still reads ${reading.from}`)
      if (reading.from === 'audit_log') judgeAuditLog(world, session, reading)
    }
  }
}

/** Functions that also name brands that require a second factor or that the person has not opened yet. */
const functionsOnClosedBrands = new Set(['brands_behind_second_factor', 'unopened_brands'])

/** Records a complaint for each marker in the response that this session may not read. */
function judgeMarkers(world: World, session: Session, { from, response }: Reading): void {
  for (const marker of new Set(response.text.match(markerPattern))) {
    const secret = world.secrets.get(marker)
    if (secret?.mayBeRead(session, functionsOnClosedBrands.has(from), from)) continue
    complain(
      world,
      `${session.name} reads ${secret?.what ?? 'something of another life'} in ${from}: ${excerptAround(response.text, marker)}`,
    )
  }
}

/** Events of the audit log that are about accounts. All others are about the brand. */
const accountEvents = new Set([
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'signed_up',
  'password_changed',
  'email_changed',
  'factor_added',
  'factor_removed',
  'second_factor_failed',
  'recovery_codes_made',
  'recovery_code_used',
])

interface AuditLogLine {
  at: string
  event: string
  user_id: string | null
  detail: { address?: string } | null
}

/**
 * Checks what an audit log shows:
 * - Only owners of the brand read the log.
 * - The log has no event of an earlier brand with the same id.
 * - The log shows no network address of another account.
 * - The log shows account events (`accountEvents`) of another member only if this member has opened the brand, and not more sign-ins of the
 *   member than sessions that have opened the brand.
 */
function judgeAuditLog(world: World, session: Session, reading: Reading): void {
  if (isEmpty(reading)) return
  const brand = world.slots.find(({ id }) => id === reading.brandId)?.brands.at(-1)
  if (brand === undefined || roleOf(session, brand) !== 'owner') {
    complain(world, `${session.name} reads the audit log of a brand that they do not own`)
    return
  }
  const signIns = new Map<string, number>()
  for (const { at, event, user_id: id, detail } of reading.response.body as unknown as AuditLogLine[]) {
    const account = world.accounts.find((one) => one.id === id)
    if (new Date(at).getTime() < brand.createdAt - 5 && !accountEvents.has(event))
      complain(world, `${session.name} reads '${event}' of an earlier life of the brand in its audit log`)
    if (account === session.account) continue
    const accountName = account?.name ?? 'a stranger'
    if (detail?.address) complain(world, `${session.name} reads the network address of ${accountName} in the audit log`)
    if (!accountEvents.has(event)) continue
    const membership = account && brand.members.get(account)
    if (!membership?.isOpened) {
      complain(
        world,
        `${session.name} reads '${event}' of ${accountName} in the audit log, who has not opened the brand`,
      )
      continue
    }
    signIns.set(accountName, (signIns.get(accountName) ?? 0) + (event === 'sign_in' ? 1 : 0))
    const openedSessions = world.sessions.filter((one) => one.account === account && one.opened.has(membership))
    if ((signIns.get(accountName) ?? 0) > new Set(openedSessions.map(({ id: sessionId }) => sessionId)).size)
      complain(
        world,
        `${session.name} reads of a sign-in of ${accountName} in the audit log whose session has not opened the brand`,
      )
  }
}

function excerptAround(text: string, marker: string): string {
  const position = text.indexOf(marker)
  return text.slice(Math.max(0, position - 60), position + marker.length + 20)
}
