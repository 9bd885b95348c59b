import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const oneTimeTokensFile = `${authFolder}/one-time-tokens.ts`
const credentialsSql = 'src/server/db/platform/0011_credentials.sql'
const staleLinksTest = 'tests/api/stale-links.test.ts'
const recoveryCodesTitle = 'is refused after a factor or recovery codes were added, used or removed'

/**
 * Breaks of the defences that invalidate the links and codes in mails after a change of the account. Each trigger is removed separately: no
 * other trigger deletes the tokens in its case.
 */
export const breaksOfMailedLinks: readonly SecurityBreak[] = [
  {
    attack: 'a link outlives a change of the address',
    file: credentialsSql,
    from: 'if new.email is distinct from old.email\n    or ',
    to: 'if ',
    test: staleLinksTest,
    title: 'is refused after a change of the address',
  },
  {
    attack: 'a link outlives a change of the password',
    file: credentialsSql,
    from: "    or coalesce(new.encrypted_password, '') <> coalesce(old.encrypted_password, '')\n",
    to: '',
    test: staleLinksTest,
    title: 'both links of a change of address',
  },
  {
    attack: 'a link outlives the block of an account',
    file: credentialsSql,
    from: '    or coalesce(new.banned_until > now(), false) and not coalesce(old.banned_until > now(), false)\n',
    to: '',
    test: staleLinksTest,
    title: 'by the operator, who blocks it',
  },
  {
    attack: 'a confirmation link outlives another confirmation of the e-mail address',
    file: credentialsSql,
    from: "    delete from auth.one_time_tokens t where t.user_id = new.id and t.token_type = 'confirmation_token';\n",
    to: '    null;\n',
    test: staleLinksTest,
    title: 'is deleted after a change in the database: the e-mail address becomes verified',
  },
  triggerBreak(
    'the addition of a verified factor',
    'is deleted after a change in the database: a factor is inserted that is already verified',
    "when (new.status = 'verified') execute",
    'when (false) execute',
  ),
  triggerBreak(
    'the verification of a factor',
    'is refused after a change of the factors, by adding the first one',
    'old.phone, old.factor_type))',
    'old.phone, old.factor_type) and false)',
  ),
  triggerBreak(
    'the removal of a factor',
    recoveryCodesTitle,
    "when (old.status = 'verified') execute",
    'when (false) execute',
  ),
  triggerBreak(
    'the generation of recovery codes',
    'is deleted after a change in the database: a recovery code is inserted',
    'create trigger codes_made after insert on auth.mfa_recovery_codes\n  referencing new table as changed for each statement execute function auth.on_recovery_codes_changed();',
    '',
  ),
  triggerBreak(
    'the use of a recovery code',
    recoveryCodesTitle,
    'create trigger code_spent after update on auth.mfa_recovery_codes\n  referencing new table as changed for each statement execute function auth.on_recovery_codes_changed();',
    '',
  ),
  {
    attack: 'a requested e-mail address outlives a change of the password',
    file: credentialsSql,
    from: "  update auth.users u set email_change = '', email_change_confirm_status = 0\n  where u.id = p_user_id and coalesce(u.email_change, '') <> ''\n",
    to: '',
    test: staleLinksTest,
    title: 'both links of a change of address are refused after a new password, and the requested change is gone',
  },
  {
    attack: 'a link whose row still exists works for another account',
    file: oneTimeTokensFile,
    from: ' and expires_at > now() and made_for = auth.credentials_digest(user_id)\n',
    to: ' and expires_at > now()\n',
    test: staleLinksTest,
    title: 'is refused if',
  },
  {
    attack: 'a code whose row still exists works for another purpose',
    file: oneTimeTokensFile,
    from: "where id = $1 and made_for = auth.credentials_digest(user_id)',",
    to: "where id = $1',",
    test: staleLinksTest,
    title: 'is refused if',
  },
  {
    attack: 'the digest leaves the address out',
    file: credentialsSql,
    from: "coalesce(u.email, '') || E'\\n' || ",
    to: '',
    test: staleLinksTest,
    title: 'is refused if email has changed',
  },
  {
    attack: 'the digest leaves the password out',
    file: credentialsSql,
    from: " || E'\\n' || coalesce(nullif(u.encrypted_password, ''), '')",
    to: '',
    test: staleLinksTest,
    title: 'is refused if encrypted_password has changed',
  },
  {
    attack: 'a click and a change at the same time both succeed',
    file: oneTimeTokensFile,
    from: '= $1) for no key update`',
    to: '= $1)`',
    test: staleLinksTest,
    title: 'is refused when a simultaneous change of the account commits first',
  },
]

/** Returns a break that disables a trigger on one-time tokens. */
function triggerBreak(change: string, title: string, from: string, to: string): SecurityBreak {
  return { attack: `a link outlives ${change}`, file: credentialsSql, from, to, test: staleLinksTest, title }
}
