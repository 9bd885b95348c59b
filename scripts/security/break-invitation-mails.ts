import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const verifyFile = `${authFolder}/verify.ts`
const linksTest = 'tests/api/invitation-links.test.ts'

/** Breaks of the defences of invitations by mail. */
export const breaksOfInvitationMails: readonly SecurityBreak[] = [
  {
    attack: 'an invitation link signs anybody in to an existing account',
    file: verifyFile,
    from: "  if (!hasBearerToken(context, request)) throw refusal('user_already_exists')\n  const { user, aal } = await authenticate({ ...context, db }, request)\n  if (user.id !== knownUser.id) throw refusal('user_already_exists')\n",
    to: "  const { user, aal } = { user: knownUser, aal: 'aal2' }\n",
    test: linksTest,
    title:
      'an invitation is not accepted by signing up with its e-mail address if the server does not verify e-mail addresses',
  },
  {
    attack: 'an invitation link admits another person’s session',
    file: verifyFile,
    from: "  if (user.id !== knownUser.id) throw refusal('user_already_exists')\n",
    to: '',
    test: linksTest,
    title: 'an invitation is not accepted by its link in another person’s session',
  },
  {
    attack: 'an invitation link works with the password alone',
    file: verifyFile,
    from: "  if (aal !== 'aal2' && (await hasVerifiedFactor(db, user.id))) throw insufficientLevel(403)\n",
    to: '',
    test: linksTest,
    title: 'an invitation needs the second factor of a person who has one',
  },
  {
    attack: 'a person who signs up with an invited e-mail address becomes a member',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: linksTest,
    title:
      'an invitation is not accepted by signing up with its e-mail address if the server does not verify e-mail addresses',
  },
  {
    attack: 'a person who changes their e-mail address to an invited one becomes a member',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: linksTest,
    title:
      'an invitation is not accepted by changing an account’s e-mail address to the invited one if the server does not verify e-mail addresses',
  },
  {
    attack: 'the product’s SQL does not know that the server confirms no e-mail addresses',
    file: `${authFolder}/mail/open-mailer.ts`,
    from: 'proves_addresses:',
    to: 'proves:',
    test: linksTest,
    title: 'the product’s settings say whether the server verifies e-mail addresses',
  },
  {
    attack: 'an invitation link works twice',
    file: 'supabase/migrations/20261122000016_invitations.sql',
    from: '  delete from public.invitations i\n  using auth.users u\n  where i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i)\n  returning i.* into v_row;',
    to: '  select i.* into v_row from public.invitations i, auth.users u\n  where i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i);',
    test: linksTest,
    title: 'an invitation is accepted by its link, which creates the account, once',
  },
]
