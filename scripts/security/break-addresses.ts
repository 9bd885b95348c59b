import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const freshProofFile = `${authFolder}/fresh-proof.ts`
const updateUserFile = `${authFolder}/update-user.ts`
const readInputFile = `${authFolder}/read-input.ts`
const storableTextFile = `${authFolder}/storable-text.ts`
const oneTimeTokensFile = `${authFolder}/one-time-tokens.ts`
const newAddressTest = 'tests/api/auth-new-address.test.ts'

/** Breaks of the checks before an e-mail address or password is changed, and of the refusal of e-mail addresses that look like another address. */
export const breaksOfAddresses: readonly SecurityBreak[] = [
  {
    attack: 'a stolen session changes the account’s e-mail address',
    file: updateUserFile,
    from: "  await requireFreshProof(context, request, signedIn, given, given.email === null ? 'password' : 'email address')\n",
    to: "  if (given.email === null) await requireFreshProof(context, request, signedIn, given, 'password')\n",
    test: newAddressTest,
    title: 'a change of the e-mail address needs the password if the sign-in is more than five minutes old',
  },
  {
    attack: 'a sign-in of last week replaces the password',
    file: freshProofFile,
    from: 'const proofLifeSeconds = 300',
    to: 'const proofLifeSeconds = 604_800',
    test: newAddressTest,
    title: 'a change of the e-mail address needs the password if the sign-in is more than five minutes old',
  },
  {
    attack: 'a wrong password is accepted',
    file: freshProofFile,
    from: "    if (!(await verifyPassword(user.encrypted_password, password))) throw refusal('current_password_invalid')\n",
    to: '',
    test: newAddressTest,
    title: 'a change of the e-mail address needs the password if the sign-in is more than five minutes old',
  },
  {
    attack: 'passwords are guessed by changing the e-mail address',
    file: freshProofFile,
    from: '    await limits.countPasswordAttempt(db, account, request.ip)\n',
    to: '',
    test: newAddressTest,
    title: 'counts wrong passwords as failed sign-ins',
  },
  {
    attack: 'a session tests thousands of e-mail addresses for existing accounts',
    file: updateUserFile,
    from: '  if (given.email !== null && !given.current_password) await context.limits.countAttempt(context.db, request.ip)\n',
    to: '',
    test: newAddressTest,
    title:
      'a change of the e-mail address counts each requested address, so that nobody can test thousands of addresses',
  },
  {
    attack: 'a session without a recent proof learns whether an e-mail address is taken',
    file: updateUserFile,
    from: '  if (isProofNeeded) await requireProof(context, request, signedIn, { ...given, email })\n  if (email !== null) await refuseTakenEmail(context, request, email)\n',
    to: '  if (email !== null) await refuseTakenEmail(context, request, email)\n  if (isProofNeeded) await requireProof(context, request, signedIn, { ...given, email })\n',
    test: newAddressTest,
    title:
      'a change of the e-mail address reveals nothing about other accounts to a caller without proof, and counts wrong passwords as failed sign-ins',
  },
  {
    attack: 'a code of a mail can be used several times',
    file: oneTimeTokensFile,
    from: "    'delete from auth.one_time_tokens where id = $1 and made_for = auth.credentials_digest(user_id)',",
    to: "    'update auth.one_time_tokens set attempts = attempts where id = $1 and made_for = auth.credentials_digest(user_id)',",
    test: newAddressTest,
    title: 'a change of the e-mail address uses up a mailed code even if the change is refused',
  },
  {
    attack: 'the password alone changes the e-mail address of an account with a second factor',
    file: updateUserFile,
    from: '  await refuseWeakSession(context.db, signedIn)\n',
    to: '',
    test: 'tests/api/auth-factors.test.ts',
    title:
      'a session with only a password cannot enrol or remove a factor, or change the password or e-mail address, if the account has a verified factor',
  },
  {
    attack: 'the account changes between the proof and the change of the e-mail address',
    file: updateUserFile,
    from: '    if (isProofNeeded) await lockUnchangedUser(context, client, signedIn)\n',
    to: '',
    test: newAddressTest,
    title: 'is refused if the password changes before',
  },
  {
    attack: 'an e-mail address with invisible characters',
    file: readInputFile,
    from: 'return isVisibleText(email) && ',
    to: 'return ',
    test: newAddressTest,
    title: 'an e-mail address with a zero-width space',
  },
  {
    attack: 'an e-mail address with full-width letters',
    file: readInputFile,
    from: " && email.normalize('NFKC') === email",
    to: '',
    test: newAddressTest,
    title: 'an e-mail address with full-width letters',
  },
  ...(
    [
      ['\\p{Cf}', 'an Arabic number sign'],
      ['\\p{Co}', 'a private-use character'],
      ['\\p{Default_Ignorable_Code_Point}', 'a combining grapheme joiner'],
    ] as const
  ).map(([pattern, character]) => ({
    attack: `an address with ${character}`,
    file: storableTextFile,
    from: pattern,
    to: '',
    test: newAddressTest,
    title: `an e-mail address with ${character}`,
  })),
  {
    attack: 'an account gets an e-mail address that looks like another account’s',
    file: updateUserFile,
    from: '  return readNewEmail(given)\n',
    to: '  return readEmail(given)\n',
    test: newAddressTest,
    title: 'an e-mail address with invisible or look-alike characters is also refused when a user changes to it',
  },
  {
    attack: 'a new account has an e-mail address that looks like another account’s',
    file: `${authFolder}/sign-up.ts`,
    from: 'const email = readNewEmail(given.email)',
    to: "const email = (given.email ?? '').toLowerCase()",
    test: newAddressTest,
    title: 'an e-mail address with a zero-width space',
  },
]
