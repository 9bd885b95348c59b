import type { SecurityBreak } from './break.ts'

const linksSql = 'supabase/migrations/20261128000000_invitation_links.sql'
const linksTest = 'supabase/tests/invitation-links.test.ts'

/** Breaks of the defences of invitation links that the inviter hands over, and of the records of a removed member. */
export const breaksOfInvitationLinks: readonly SecurityBreak[] = [
  {
    attack: 'an invitation link that is handed over: a member makes one',
    file: linksSql,
    from: '  perform private.assert_may_invite(p_brand_id, v_role);\n  if not private.invitation_links_on() then',
    to: '  perform private.assert_member(p_brand_id);\n  if not private.invitation_links_on() then',
    test: linksTest,
    title:
      'an invitation link is created by admins and owners, for roles that they may give, unless nobody can sign up',
  },
  {
    attack: 'an invitation link that is handed over: the database shows its token',
    file: linksSql,
    from: "sha256(convert_to(v_token, 'UTF8')), p_brand_id",
    to: "convert_to(v_token, 'UTF8'), p_brand_id",
    test: linksTest,
    title: 'the database stores a hash of the token of an invitation link, and no mail is written',
  },
  {
    attack: 'an invitation link that is handed over: another address uses it',
    file: linksSql,
    from: 'where u.id = v_caller and lower(u.email) = v_row.email and u.email_confirmed_at is not null',
    to: 'where u.id = v_caller and u.email_confirmed_at is not null',
    test: linksTest,
    title:
      'a valid invitation link is refused to an account with another e-mail address, and the error names the invited one',
  },
  {
    attack: 'an invitation link that is handed over: it works after seven days',
    file: linksSql,
    from: ' and p_link.expires_at > now() and i.expires_at > now()',
    to: '',
    test: linksTest,
    title: 'when it is seven days old',
  },
  {
    attack: 'an invitation link that is handed over: it works after a newer one was made',
    file: linksSql,
    from: 'p_link.ended_as is null and p_link',
    to: 'p_link',
    test: linksTest,
    title: 'when it is replaced by a newer one',
  },
  {
    attack: 'an invitation link that is handed over: any address signs up by it',
    file: linksSql,
    from: '.email = lower(p_email), false)',
    to: '.email is not null, false)',
    test: linksTest,
    title:
      'a valid invitation link lets its e-mail address sign up if only invited people may, also if no address is verified',
  },
  {
    attack: 'an invitation link that is handed over: its token is guessed',
    file: 'src/server/auth/invitation.ts',
    from: "  if (link === null || link.state === 'unknown') await limits.countAttempt(db, request.ip)\n",
    to: '',
    test: 'tests/api/handed-over-links.test.ts',
    title: 'the number of guessed tokens of invitation links is limited',
  },
  {
    attack: 'a member removes a colleague to take over their records',
    file: 'supabase/migrations/20261129000000_hand_over.sql',
    from: "    perform private.assert_role(p_brand_id, case when v_role = 'owner' then 'owner' else 'admin' end);\n",
    to: '    perform private.assert_member(p_brand_id);\n',
    test: 'supabase/tests/removed-records.test.ts',
    title: 'the records stay with the member if the removal is refused',
  },
]
