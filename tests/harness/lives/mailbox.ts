import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storedLinkSchema, linkUrl } from '#server/auth/mail/link.ts'
import type { Site } from './site.ts'
import { type Link, livingBrands, type World } from './world.ts'

/** Adds the links of new mails to the model, also if the server sends no mail: then its operator would pass the links on. */
export async function readMail(world: World): Promise<void> {
  const { site, tag, lastMail } = world
  const { rows } = await site.sql.query<{
    id: string
    recipient: string
    data: { link?: unknown }
    owner: string | null
  }>(
    `select m.id, m.recipient, m.data, t.user_id as owner
     from lives.mails m left join auth.one_time_tokens t on t.id::text = m.data -> 'link' ->> 'id'
     where m.id > $1 and m.recipient like 'q' || $2 || 'x%' order by m.id`,
    [lastMail, tag],
  )
  for (const { id, recipient, data, owner } of rows) {
    world.lastMail = id
    const parsedLink = storedLinkSchema.safeParse(data.link)
    if (parsedLink.success) world.links.push(linkOf(world, recipient, parsedLink.data, owner))
  }
}

/** `owner`: the id of the account that the link belongs to, if it is known. Two accounts may ask for the same new address. */
function linkOf(
  world: World,
  recipient: string,
  parsedLink: ReturnType<typeof storedLinkSchema.parse>,
  owner: string | null,
): Link {
  const { site, accounts } = world
  const account =
    accounts.find(({ id }) => id === owner) ??
    accounts.find(({ email }) => email === recipient) ??
    accounts.find(({ requestedAddress }) => requestedAddress?.email === recipient)
  const brand = livingBrands(world).find(({ invitations }) => invitations.some(({ id }) => id === parsedLink.id))
  return {
    type: parsedLink.type,
    token: tokenOf(linkUrl(site.server.url, parsedLink, secretOf(site))),
    recipient,
    account: parsedLink.type === 'invite' ? null : (account ?? null),
    linkVersion: account?.linkVersion ?? 0,
    invitation: brand?.invitations.find(({ id }) => id === parsedLink.id) ?? null,
    brand: brand ?? null,
    isUsed: false,
    password: account?.password ?? null,
    newEmail: account?.requestedAddress?.email ?? null,
  }
}

/** Returns the token in the fragment or in the query of a link. */
function tokenOf(link: string): string {
  const { hash, searchParams } = new URL(link)
  return new URLSearchParams(hash.slice(1)).get('token_hash') ?? searchParams.get('token_hash') ?? ''
}

const secrets = new Map<Site, Buffer>()

function secretOf(site: Site): Buffer {
  const knownSecret = secrets.get(site)
  if (knownSecret) return knownSecret
  const { refreshSecret } = JSON.parse(readFileSync(join(site.server.dataDir, 'keys.json'), 'utf8'))
  const secret = Buffer.from(refreshSecret, 'base64url')
  secrets.set(site, secret)
  return secret
}
