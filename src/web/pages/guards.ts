import type { Device } from '#web/data/browser/device.ts'
import { readActiveBrandId } from '#web/data/people/active-brand.ts'
import { mayEnter, readSession } from '#web/data/session/session.ts'
import { type MailedLink, mailedLinkOf, takeKeptLink } from '#web/lib/mailed-link.ts'
import { rememberAddress, takeRememberedAddress } from '#web/lib/remembered-address.ts'
import type { PagePath } from '#web/lib/routing/declared-pages.ts'
import type { Decision, Redirect } from '#web/lib/routing/match-route.ts'
import type { PageLocation } from '#web/lib/routing/page-location.ts'
import { addressOf } from '#web/lib/routing/target.ts'

// What must hold before a page is shown, and where else it leads. Guards read this device only, never the network.

export function leadTo(to: PagePath): Redirect {
  return { address: addressOf({ to }) }
}

function leadToLink(link: MailedLink | null): Decision {
  return link ? { ...leadTo('/auth/confirm'), state: { link } } : undefined
}

/** /auth is for those who are not signed in. */
export async function guardAuth(device: Device): Promise<Decision> {
  const session = await readSession(device)
  if (session?.needsCode) return leadTo('/auth/code')
  return mayEnter(session) ? leadTo('/select-brand') : undefined
}

/** /auth/code is for those whose second factor is missing. */
export async function guardCode(device: Device): Promise<Decision> {
  const session = await readSession(device)
  return session?.needsCode ? undefined : leadTo(session ? '/select-brand' : '/auth')
}

/** /auth/mail knows whom a mail went to by the entry of the history. */
export function guardMail({ state: { email, mail } }: PageLocation): Decision {
  return email && mail ? undefined : leadTo('/auth')
}

/** Takes a mailed link out of the address and the browser's history at once. The entry of the history keeps it, so that a reload knows it too. */
export function guardLink({ address }: PageLocation): Decision {
  return leadToLink(mailedLinkOf(address))
}

export async function guardReset(device: Device): Promise<Decision> {
  return (await readSession(device)) ? undefined : leadTo('/auth')
}

/** Pages of those who are signed in. */
export async function guardSignedIn(device: Device): Promise<Decision> {
  const session = await readSession(device)
  if (session?.needsCode) return leadTo('/auth/code')
  return mayEnter(session) ? undefined : leadTo('/auth')
}

/** /select-brand goes on with what was interrupted by a sign-in. */
export async function guardBrands(device: Device): Promise<Decision> {
  const decision = (await guardSignedIn(device)) ?? leadToLink(takeKeptLink())
  if (decision || !(await readActiveBrandId(device))) return decision
  // Whose session had ended comes back to the brand and the place where they were.
  const address = takeRememberedAddress()
  return address ? { address } : undefined
}

/** Pages of a brand need one that is open. The address is kept until then. */
export async function guardCrm(device: Device, { address }: PageLocation): Promise<Decision> {
  if (!mayEnter(await readSession(device))) rememberAddress(address)
  const decision = await guardSignedIn(device)
  if (decision || (await readActiveBrandId(device))) return decision
  rememberAddress(address)
  return leadTo('/select-brand')
}

/** An id that no record can have is no address of ours: the 404 page. */
export function guardId(id: string): Decision {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? undefined : 'not-found'
}
