import { randomUUID } from 'node:crypto'
import { runStep } from './run-step.ts'
import { signIn } from './account-actions.ts'
import { judgeReadings } from './judge-readings.ts'
import type { Mode, Site } from './site.ts'
import { firstPassword } from './site.ts'
import type { Life, Step } from './steps.ts'
import { judgeMemberships, judgeSessions } from './judge-memberships.ts'
import { type Account, newAddress, newWorld, recordAddress, peopleNames, type World } from './world.ts'

/** The error of a life with a forbidden effect or reading. The message contains the life's log and the complaints. */
export class Leak extends Error {
  override name = 'Leak'
}

/**
 * Runs one life of three people. Each has an account and a session. Ana has created brand 1, eve brand 2; if `isTeam`, bo is an
 * admin of brand 1. Compares the memberships with the model after each step. At the end the sessions of `readersOf` read everything that
 * they can reach. Returns the kinds of steps that had an effect. Throws a Leak if an effect or a reading was forbidden.
 */
export async function runLife(sites: Record<Mode, Site>, { mode, isTeam, steps }: Life): Promise<ReadonlySet<string>> {
  const world = newWorld(sites[mode])
  await begin(world, isTeam)
  for (const step of steps) {
    await runStep(world, step)
    await judgeMemberships(world)
    if (world.complaints.length > 0) break
  }
  await judgeReadings(world)
  await judgeSessions(world)
  if (world.complaints.length > 0) throw new Leak(sentencesOf(world))
  return world.done
}

async function begin(world: World, isTeam: boolean): Promise<void> {
  const emails = peopleNames.map(() => newAddress(world))
  const ids = peopleNames.map(() => randomUUID())
  await world.site.sql.query(newPeopleSql, [ids, emails])
  for (const [person, name] of peopleNames.entries()) {
    const account: Account = {
      id: ids[person] ?? '',
      person,
      name,
      email: emails[person] ?? '',
      password: firstPassword,
      isConfirmed: true,
      factor: null,
      linkVersion: 0,
      requestedAddress: null,
    }
    world.accounts.push(account)
    recordAddress(world, person, account.email)
    if (!(await signIn(world, account))) throw new Error(`${name} cannot sign in`)
  }
  await runStep(world, { ...emptyStep, kind: 'create brand', who: 0, brand: 0 })
  await runStep(world, { ...emptyStep, kind: 'create brand', who: 2, brand: 1 })
  if (isTeam) {
    await runStep(world, { ...emptyStep, kind: 'add member', who: 0, affectedIndex: 1, role: 'admin' })
    await runStep(world, { ...emptyStep, kind: 'open brand', who: 1 })
  }
  world.log = []
  world.done.clear()
}

const emptyStep: Step = {
  kind: 'wait',
  who: 0,
  itemIndex: 0,
  brand: 0,
  affectedIndex: 0,
  role: 'member',
  isVariant: false,
}

/** Creates accounts like the server's sign-up, with a password hash that costs almost no time. */
const newPeopleSql = `
  with people as (
    insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, encrypted_password, raw_app_meta_data, raw_user_meta_data)
    select '00000000-0000-0000-0000-000000000000', p.id, 'authenticated', 'authenticated', p.email, now(), w.hash,
      '{"provider":"email","providers":["email"]}', '{}'
    from unnest($1::uuid[], $2::text[]) p (id, email), lives.password w
    returning id, email
  )
  insert into auth.identities (provider_id, user_id, identity_data, provider)
  select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email' from people`

function sentencesOf({ log, complaints, site }: World): string {
  const logLines = log.map((sentence, index) => `  ${index + 1}. ${sentence}`)
  const complaintLines = [...new Set(complaints)].slice(0, 8).map((sentence) => `  - ${sentence}`)
  return [
    `A life leaked (server: ${site.mode}).`,
    'What happened:',
    ...logLines,
    'Forbidden effects and readings:',
    ...complaintLines,
  ].join('\n')
}
