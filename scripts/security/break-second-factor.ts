import type { SecurityBreak } from './break.ts'

const auth = 'src/server/auth'
const factors = `${auth}/factors/factor-limits.ts`
const second = 'tests/api/auth-factor-limits.test.ts'

/** Breaks of the defences of second-factor codes, and of the limits on what a session without a second factor may end. */
export const breaksOfSecondFactor: readonly SecurityBreak[] = [
  {
    attack: 'an unlimited number of codes of the second factor',
    file: factors,
    from: 'const attemptsPerMinute = 15',
    to: 'const attemptsPerMinute = 1000',
    test: second,
    title: 'fifteen tries a minute',
  },
  {
    attack: 'codes of the second factor, many at once',
    file: factors,
    from: '    if ((await readCount(db, key, 60)) > attemptsPerMinute) throw',
    to: '    if (false) throw',
    test: second,
    title: 'fifteen tries a minute',
  },
  {
    attack: 'an unlimited number of codes of the second factor, slowly',
    file: factors,
    from: 'const attemptsPerQuarterHour = 60',
    to: 'const attemptsPerQuarterHour = 6000',
    test: second,
    title: 'sixty tries in a quarter',
  },
  {
    attack: 'an unlimited number of wrong recovery codes',
    file: factors,
    from: 'const wrongRecoveryCodesPerQuarterHour = 10',
    to: 'const wrongRecoveryCodesPerQuarterHour = 1000',
    test: second,
    title: 'ten wrong recovery codes',
  },
  {
    attack: 'a code from 20 minutes ago',
    file: `${auth}/factors/totp.ts`,
    from: '[present, present - 1, present + 1]',
    to: '[present, present - 1, present + 1, present - 40]',
    test: 'tests/api/auth-code-window.test.ts',
    title: 'a code that is more than one step of 30 s before or after the current one is refused',
  },
  {
    attack: 'a code of the next step but one',
    file: `${auth}/factors/totp.ts`,
    from: '[present, present - 1, present + 1]',
    to: '[present, present - 1, present + 1, present + 2]',
    test: `${auth}/factors/totp.test.ts`,
    title:
      'a code is accepted in its own time step and in the two neighbouring steps, and refused in all others within an hour',
  },
  {
    attack: 'a code that was used once already',
    file: `${auth}/factors/verify-factor.ts`,
    from: ' and ($2::bigint is null or last_totp_step is null or last_totp_step < $2)',
    to: ' and ($2::bigint is null or $2 is not null)',
    test: 'tests/api/auth-code-window.test.ts',
    title: 'a code is accepted once; after that, codes of earlier steps are refused',
  },
  {
    attack: 'a code of a step before the last used one',
    file: `${auth}/factors/verify-factor.ts`,
    from: 'last_totp_step < $2)',
    to: 'last_totp_step <> $2)',
    test: 'tests/api/auth-code-window.test.ts',
    title: 'codes of earlier steps are refused',
  },
  {
    attack: 'a session without the second factor signs the others out',
    file: `${auth}/sign-out.ts`,
    from: "if (isWeak && requested === 'others') throw insufficientLevel(422)",
    to: '',
    test: 'tests/api/auth-factors.test.ts',
    title: 'a session with only a password cannot end another session if the account has a verified factor',
  },
  {
    attack: 'a session without the second factor ends all',
    file: `${auth}/sign-out.ts`,
    from: "const scope = isWeak ? 'local' : requested",
    to: 'const scope = requested',
    test: 'tests/api/auth-factors.test.ts',
    title: 'a session with only a password cannot end another session if the account has a verified factor',
  },
]
