import { timingSafeEqual } from 'node:crypto'

/** The API keys of this installation. */
export interface ApiKeys {
  publishableKey: string
  secretKey: string
}

/**
 * Returns the role that an API key gives. Returns null if the key is missing or wrong. The secret key is compared in
 * constant time.
 */
export function roleOfKey(key: unknown, keys: ApiKeys): 'anon' | 'service_role' | null {
  if (typeof key !== 'string' || key === '') return null
  if (key === keys.publishableKey) return 'anon'
  const [givenKey, secret] = [Buffer.from(key), Buffer.from(keys.secretKey)]
  return givenKey.length === secret.length && timingSafeEqual(givenKey, secret) ? 'service_role' : null
}
