import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const factorLimitsFile = `${authFolder}/factors/factor-limits.ts`
const factorLimitsTest = 'tests/api/auth-factor-limits.test.ts'

/** Breaks of the defences of second-factor codes, and of the rule that a session without the second factor cannot end other sessions. */
export const breaksOfSecondFactor: readonly SecurityBreak[] = [
  {
    attack: 'an unlimited number of codes of the second factor',
    file: factorLimitsFile,
    from: 'const attemptsPerMinute = 15',
    to: 'const attemptsPerMinute = 1000',
    test: factorLimitsTest,
    title: 'at most fifteen are checked',
  },
  {
    attack: 'codes of the second factor, many at once',
    file: factorLimitsFile,
    from: '    if ((await readCount(db, key, 60)) > attemptsPerMinute) throw',
    to: '    if (false) throw',
    test: factorLimitsTest,
    title: 'at most fifteen are checked',
  },
  {
    attack: 'an unlimited number of codes of the second factor, slowly',
    file: factorLimitsFile,
    from: 'const attemptsPerQuarterHour = 60',
    to: 'const attemptsPerQuarterHour = 6000',
    test: factorLimitsTest,
    title: 'sixty tries in a quarter',
  },
  {
    attack: 'an unlimited number of wrong recovery codes',
    file: factorLimitsFile,
    from: 'const wrongRecoveryCodesPerQuarterHour = 10',
    to: 'const wrongRecoveryCodesPerQuarterHour = 1000',
    test: factorLimitsTest,
    title: 'ten wrong recovery codes',
  },
  {
    attack: 'a code from 20 minutes ago',
    file: `${authFolder}/factors/totp.ts`,
    from: '[currentStep, currentStep - 1, currentStep + 1]',
    to: '[currentStep, currentStep - 1, currentStep + 1, currentStep - 40]',
    test: 'tests/api/auth-code-window.test.ts',
    title:
      'a code of an authenticator app is refused if it is more than one step of 30 s before or after the current code',
  },
  {
    attack: 'a code of the next step but one',
    file: `${authFolder}/factors/totp.ts`,
    from: '[currentStep, currentStep - 1, currentStep + 1]',
    to: '[currentStep, currentStep - 1, currentStep + 1, currentStep + 2]',
    test: `${authFolder}/factors/totp.test.ts`,
    title:
      'a code is accepted in its own time step and in the two neighbouring steps, and refused in all others within an hour',
  },
  {
    attack: 'a code that was used once already',
    file: `${authFolder}/factors/verify-factor.ts`,
    from: ' and ($2::bigint is null or last_totp_step is null or last_totp_step < $2)',
    to: ' and ($2::bigint is null or $2 is not null)',
    test: 'tests/api/auth-code-window.test.ts',
    title: 'a code of an authenticator app is accepted once; then codes of earlier steps are refused',
  },
  {
    attack: 'a code of a step before the last used one',
    file: `${authFolder}/factors/verify-factor.ts`,
    from: 'last_totp_step < $2)',
    to: 'last_totp_step <> $2)',
    test: 'tests/api/auth-code-window.test.ts',
    title: 'codes of earlier steps are refused',
  },
  {
    attack: 'a session without the second factor signs the others out',
    file: `${authFolder}/sign-out.ts`,
    from: "if (isWeak && requested === 'others') throw insufficientLevel(422)",
    to: '',
    test: 'tests/api/auth-factors.test.ts',
    title: 'a session with only a password cannot end another session if the account has a verified factor',
  },
  {
    attack: 'a session without the second factor ends all',
    file: `${authFolder}/sign-out.ts`,
    from: "const scope = isWeak ? 'local' : requested",
    to: 'const scope = requested',
    test: 'tests/api/auth-factors.test.ts',
    title: 'a session with only a password cannot end another session if the account has a verified factor',
  },
]
