import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const secret = randomBytes(32)
const seal = createSeal(secret)

it('decrypts what it encrypted, only for the same row of the same installation', () => {
  const sealed = seal.close('row', 'a secret, ä')
  expect(seal.open('row', sealed)).toBe('a secret, ä')
  expect(createSeal(secret).open('row', sealed)).toBe('a secret, ä')
  expect(() => seal.open('other', sealed)).toThrow()
  expect(() => createSeal(randomBytes(32)).open('row', sealed)).toThrow()
})

it('refuses a changed or truncated text', () => {
  const bytes = Buffer.from(seal.close('row', 'a secret'), 'base64url')
  expect(bytes).toHaveLength(12 + 16 + 8)
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes)
    changed[place]! ^= 1
    expect(() => seal.open('row', changed.toString('base64url'))).toThrow()
    expect(() => seal.open('row', bytes.subarray(0, place).toString('base64url'))).toThrow()
  }
})

it('never encrypts a text twice to the same result', () => {
  expect(new Set(Array.from({ length: 100 }, () => seal.close('row', 'x'))).size).toBe(100)
})

it('a hash depends on its purpose and installation, and uses another key than the encryption', () => {
  const hash = seal.hash('recovery', 'code')
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(createSeal(secret).hash('recovery', 'code')).toBe(hash)
  for (const other of [
    seal.hash('phone', 'code'),
    seal.hash('recovery', 'cod'),
    createSeal(randomBytes(32)).hash('recovery', 'code'),
  ])
    expect(other).not.toBe(hash)
})
