import type { SecurityBreak } from './break.ts'

const auth = 'src/server/auth'
const proof = `${auth}/fresh-proof.ts`
const update = `${auth}/update-user.ts`
const input = `${auth}/read-input.ts`
const visible = `${auth}/storable-text.ts`
const tokens = `${auth}/one-time-tokens.ts`
const newAddress = 'tests/api/auth-new-address.test.ts'

/** Changes of the e-mail address and the password, and e-mail addresses that look like another one. */
export const breaksOfAddresses: readonly SecurityBreak[] = [
  {
    attack: 'a stranger’s session moves the account to another address',
    file: update,
    from: "  await requireFreshProof(context, request, signedIn, given, given.email === null ? 'password' : 'email address')\n",
    to: "  if (given.email === null) await requireFreshProof(context, request, signedIn, given, 'password')\n",
    test: newAddress,
    title: 'asks for the password if the sign-in',
  },
  {
    attack: 'a sign-in of last week stands for the password',
    file: proof,
    from: 'const proofLifeSeconds = 300',
    to: 'const proofLifeSeconds = 604_800',
    test: newAddress,
    title: 'asks for the password if the sign-in',
  },
  {
    attack: 'a wrong password stands for the right one',
    file: proof,
    from: "    if (!(await verifyPassword(user.encrypted_password, password))) throw refusal('current_password_invalid')\n",
    to: '',
    test: newAddress,
    title: 'asks for the password if the sign-in',
  },
  {
    attack: 'passwords are guessed at where an address is changed',
    file: proof,
    from: '    await limits.countGuess(db, account, request.ip)\n',
    to: '',
    test: newAddress,
    title: 'counts wrong passwords as failed sign-ins',
  },
  {
    attack: 'a session learns which of thousands of addresses are taken',
    file: update,
    from: '  if (given.email !== null && !given.current_password) await context.limits.countAttempt(context.db, request.ip)\n',
    to: '',
    test: newAddress,
    title: 'counts each address that is asked for',
  },
  {
    attack: 'an unproved session learns which address is taken',
    file: update,
    from: '  if (isProofNeeded) await requireProof(context, request, signedIn, { ...given, email })\n  if (email !== null) await refuseTakenEmail(context, request, email)\n',
    to: '  if (email !== null) await refuseTakenEmail(context, request, email)\n  if (isProofNeeded) await requireProof(context, request, signedIn, { ...given, email })\n',
    test: newAddress,
    title: 'tells an unproved caller nothing',
  },
  {
    attack: 'a code of the mail opens as often as one likes',
    file: tokens,
    from: "    'delete from auth.one_time_tokens where id = $1 and made_for = auth.credentials_digest(user_id)',",
    to: "    'update auth.one_time_tokens set attempts = attempts where id = $1 and made_for = auth.credentials_digest(user_id)',",
    test: newAddress,
    title: 'takes a code once, also if the change is refused',
  },
  {
    attack: 'the password alone moves an account that has a second factor',
    file: update,
    from: '  await refuseWeakSession(context.db, signedIn)\n',
    to: '',
    test: 'tests/api/auth-factors.test.ts',
    title: 'change password or address',
  },
  {
    attack: 'what was proved is not what holds when it is changed',
    file: update,
    from: '    if (isProofNeeded) await lockUnchangedUser(context, client, signedIn)\n',
    to: '',
    test: newAddress,
    title: 'is refused if the password changes before',
  },
  {
    attack: 'an address with characters that nobody sees',
    file: input,
    from: 'return isVisibleText(email) && ',
    to: 'return ',
    test: newAddress,
    title: 'an address with a zero-width space',
  },
  {
    attack: 'an address of full-width letters',
    file: input,
    from: " && email.normalize('NFKC') === email",
    to: '',
    test: newAddress,
    title: 'an address with full-width letters',
  },
  ...(
    [
      ['\\p{Cf}', 'an Arabic number sign'],
      ['\\p{Co}', 'a private character'],
      ['\\p{Default_Ignorable_Code_Point}', 'a combining grapheme joiner'],
    ] as const
  ).map(([part, what]) => ({
    attack: `an address with ${what}`,
    file: visible,
    from: part,
    to: '',
    test: newAddress,
    title: `an address with ${what}`,
  })),
  {
    attack: 'an account is moved to an address that looks like another one’s',
    file: update,
    from: '  return readNewEmail(given)\n',
    to: '  return readEmail(given)\n',
    test: newAddress,
    title: 'such an address is refused as a new address too',
  },
  {
    attack: 'an account begins with an address that looks like another one’s',
    file: `${auth}/sign-up.ts`,
    from: 'const email = readNewEmail(given.email)',
    to: "const email = (given.email ?? '').toLowerCase()",
    test: newAddress,
    title: 'an address with a zero-width space',
  },
]
