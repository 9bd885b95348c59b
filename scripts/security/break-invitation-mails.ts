import type { SecurityBreak } from './break.ts'

const auth = 'src/server/auth'
const verify = `${auth}/verify.ts`
const links = 'tests/api/invitation-links.test.ts'

/** Invitations by mail. */
export const breaksOfInvitationMails: readonly SecurityBreak[] = [
  {
    attack: 'an invite’s link signs anybody in to the account that is there',
    file: verify,
    from: "  if (!isSignedIn(context, request)) throw refusal('user_already_exists')\n  const { user, aal } = await authenticate({ ...context, db }, request)\n  if (user.id !== known.id) throw refusal('user_already_exists')\n",
    to: "  const { user, aal } = { user: known, aal: 'aal2' }\n",
    test: links,
    title: 'is not accepted by signing up with the address',
  },
  {
    attack: 'an invite’s link lets somebody else’s session in',
    file: verify,
    from: "  if (user.id !== known.id) throw refusal('user_already_exists')\n",
    to: '',
    test: links,
    title: 'is not accepted by the link with another person’s session',
  },
  {
    attack: 'an invite’s link opens to the password alone',
    file: verify,
    from: "  if (aal !== 'aal2' && (await hasVerifiedFactor(db, user.id))) throw insufficientLevel(403)\n",
    to: '',
    test: links,
    title: 'asks for the second factor',
  },
  {
    attack: 'who types an invited address is in the brand',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: links,
    title: 'is not accepted by signing up with the address',
  },
  {
    attack: 'who changes the address to an invited one is in the brand',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: links,
    title: 'is not accepted by changing an account’s address to it',
  },
  {
    attack: 'the server does not tell the product that it proves no address',
    file: `${auth}/mail/open-mailer.ts`,
    from: 'proves_addresses:',
    to: 'proves:',
    test: links,
    title: 'the product’s settings say whether addresses are verified',
  },
  {
    attack: 'an invite’s link opens twice',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  delete from public.invitations i\n  using auth.users u\n  where i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i)\n  returning i.* into v_row;',
    to: '  select i.* into v_row from public.invitations i, auth.users u\n  where i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i);',
    test: links,
    title: 'which makes the account, once',
  },
]
