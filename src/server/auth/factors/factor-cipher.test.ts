import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createFactorCipher } from './factor-cipher.ts'

const secret = randomBytes(32)
const cipher = createFactorCipher(secret)

it('an encrypted text can be decrypted only for the same row of the same installation', () => {
  const encrypted = cipher.encrypt('row', 'a secret, ä')
  expect(cipher.decrypt('row', encrypted)).toBe('a secret, ä')
  expect(createFactorCipher(secret).decrypt('row', encrypted)).toBe('a secret, ä')
  expect(() => cipher.decrypt('other', encrypted)).toThrow()
  expect(() => createFactorCipher(randomBytes(32)).decrypt('row', encrypted)).toThrow()
})

it('a changed or truncated encrypted text is refused', () => {
  const bytes = Buffer.from(cipher.encrypt('row', 'a secret'), 'base64url')
  expect(bytes).toHaveLength(12 + 16 + 8)
  for (let position = 0; position < bytes.length; position++) {
    const changedBytes = Buffer.from(bytes)
    changedBytes[position]! ^= 1
    expect(() => cipher.decrypt('row', changedBytes.toString('base64url'))).toThrow()
    expect(() => cipher.decrypt('row', bytes.subarray(0, position).toString('base64url'))).toThrow()
  }
})

it('two encryptions of the same text have different results', () => {
  expect(new Set(Array.from({ length: 100 }, () => cipher.encrypt('row', 'x'))).size).toBe(100)
})

it('a hash depends on its text, its purpose and the installation', () => {
  const hash = cipher.hash('recovery', 'code')
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(createFactorCipher(secret).hash('recovery', 'code')).toBe(hash)
  for (const other of [
    cipher.hash('phone', 'code'),
    cipher.hash('recovery', 'cod'),
    createFactorCipher(randomBytes(32)).hash('recovery', 'code'),
  ])
    expect(other).not.toBe(hash)
})
