import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { keyUri, matchingStep, newSecret } from './totp.ts'

/** The secret of RFC 6238's appendix B, and the last six digits of its codes for SHA-1. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const rfcCodes: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

const codeOf = (secret: string, milliseconds: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: milliseconds })

describe('the code of an authenticator app', () => {
  it.each(rfcCodes)('the code at %i seconds is that of RFC 6238', (seconds, code) => {
    expect(matchingStep(rfcSecret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  it('a code is accepted in its own time step and in the two neighbouring steps, and refused in all others within an hour', () => {
    const now = 1_790_000_015_000
    const currentStep = Math.floor(now / 30_000)
    const acceptedSteps: number[] = []
    for (let stepsAhead = -120; stepsAhead <= 120; stepsAhead++) {
      const step = matchingStep(rfcSecret, codeOf(rfcSecret, now + stepsAhead * 30_000), now)
      if (step !== null) acceptedSteps.push(step - currentStep)
    }
    expect(acceptedSteps).toEqual([-1, 0, 1])
  })

  it('a code is accepted from the first millisecond of the step before its own until the last millisecond of the step after it', () => {
    const stepStart = 59_666_667 * 30_000
    const code = codeOf(rfcSecret, stepStart)
    expect(matchingStep(rfcSecret, code, stepStart)).toBe(59_666_667)
    expect(matchingStep(rfcSecret, code, stepStart + 59_999)).toBe(59_666_667)
    expect(matchingStep(rfcSecret, code, stepStart + 60_000)).toBeNull()
    expect(matchingStep(rfcSecret, code, stepStart - 30_000)).toBe(59_666_667)
    expect(matchingStep(rfcSecret, code, stepStart - 30_001)).toBeNull()
  })

  it.each(['', '28708', '2870820', ' 287082', '287083', '２８７０８２'])(
    'the text %j is not accepted as a code',
    (code) => {
      expect(matchingStep(rfcSecret, code, 59_000)).toBeNull()
    },
  )
})

describe('a new secret', () => {
  it('a new secret has 160 bits, can contain each letter at each position, and is never repeated', () => {
    const secrets = Array.from({ length: 2_000 }, newSecret)
    expect(new Set(secrets).size).toBe(2_000)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    for (let position = 0; position < 32; position++)
      expect(new Set(secrets.map((secret) => secret[position])).size).toBe(32)
  })

  it('a new secret is decoded in the same way as by an authenticator app', () => {
    const now = 1_790_000_015_000
    for (let round = 0; round < 50; round++) {
      const secret = newSecret()
      expect(matchingStep(secret, codeOf(secret, now), now)).not.toBeNull()
    }
  })
})

it('the key URI contains the issuer, the account and all parameters of a code', () => {
  const uri = keyUri({ issuer: 'Banyan & Co: CRM', account: 'ana+crm@example.com', secret: rfcSecret })
  expect(uri).toBe(
    `otpauth://totp/Banyan%20%26%20Co%3A%20CRM:ana%2Bcrm%40example.com?algorithm=SHA1&digits=6&issuer=Banyan%20%26%20Co%3A%20CRM&period=30&secret=${rfcSecret}`,
  )
})
