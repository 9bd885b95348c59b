import type { Device } from '#web/data/browser/device.ts'
import { readActiveBrandId } from '#web/data/people/active-brand.ts'
import { mayEnter, readSession } from '#web/data/session/session.ts'
import { type MailedLink, mailedLinkOf, takeStoredLink } from '#web/lib/mailed-link.ts'
import { rememberUrl, takeRememberedUrl } from '#web/lib/remembered-url.ts'
import type { PagePath } from '#web/lib/routing/declared-pages.ts'
import type { GuardDecision, Redirect } from '#web/lib/routing/match-route.ts'
import type { PageLocation } from '#web/lib/routing/page-location.ts'
import { addressOf } from '#web/lib/routing/target.ts'

// Guards: the conditions for showing a page, and where to lead the visitor otherwise. They read only this device, never the network.

/** Returns the redirect to a page. */
export function redirectTo(to: PagePath): Redirect {
  return { address: addressOf({ to }) }
}

function leadToLink(link: MailedLink | null): GuardDecision {
  return link ? { ...redirectTo('/auth/confirm'), state: { link } } : undefined
}

/** /auth is for people who are not signed in. */
export async function guardAuth(device: Device): Promise<GuardDecision> {
  const session = await readSession(device)
  if (session?.needsCode) return redirectTo('/auth/code')
  return mayEnter(session) ? redirectTo('/select-brand') : undefined
}

/** /auth/code is for people who have not proved their second factor yet. */
export async function guardCode(device: Device): Promise<GuardDecision> {
  const session = await readSession(device)
  return session?.needsCode ? undefined : redirectTo(session ? '/select-brand' : '/auth')
}

/** /auth/mail needs the recipient's email address in the state of its history entry. */
export function guardMail({ state: { email, mail } }: PageLocation): GuardDecision {
  return email && mail ? undefined : redirectTo('/auth')
}

/** Removes a mailed link from the URL and the browser's history at once. The link is kept in the state of the history entry, for a reload. */
export function guardLink({ address }: PageLocation): GuardDecision {
  return leadToLink(mailedLinkOf(address))
}

/** /auth/reset needs a session: the link in the email has signed the person in. */
export async function guardReset(device: Device): Promise<GuardDecision> {
  return (await readSession(device)) ? undefined : redirectTo('/auth')
}

/** For pages that only signed-in people may see. */
export async function guardSignedIn(device: Device): Promise<GuardDecision> {
  const session = await readSession(device)
  if (session?.needsCode) return redirectTo('/auth/code')
  return mayEnter(session) ? undefined : redirectTo('/auth')
}

/** For /select-brand. After a sign-in, leads to the link or the page that the person opened before the sign-in. */
export async function guardBrands(device: Device): Promise<GuardDecision> {
  const decision = (await guardSignedIn(device)) ?? leadToLink(takeStoredLink())
  if (decision || !(await readActiveBrandId(device))) return decision
  // If the session of a person has ended, the next sign-in leads back to the brand and the page that the person had open.
  const address = takeRememberedUrl()
  return address ? { address } : undefined
}

/** For pages of a brand. Without a session or an open brand, the requested URL is remembered until there is one. */
export async function guardCrm(device: Device, { address }: PageLocation): Promise<GuardDecision> {
  if (!mayEnter(await readSession(device))) rememberUrl(address)
  const decision = await guardSignedIn(device)
  if (decision || (await readActiveBrandId(device))) return decision
  rememberUrl(address)
  return redirectTo('/select-brand')
}

/** An id that no record can have leads to the 404 page. */
export function guardId(id: string): GuardDecision {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? undefined : 'not-found'
}
