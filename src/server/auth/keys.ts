import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'

/** The keys that sign and verify access tokens. A rotation changes this object while the server runs. */
export interface SigningKeys {
  /** The private key that signs access tokens (ES256). */
  signingKey: CryptoKey
  kid: string
  /** The public keys that are accepted (ES256), by key id (`kid`). */
  verificationKeys: ReadonlyMap<string, CryptoKey>
  /** The public keys in the format of the published key set. */
  publicJwks: readonly JWK[]
}

/** All secrets of this installation. */
export interface Keys extends SigningKeys {
  /** The publishable API key, which gives the role anon. */
  publishableKey: string
  /** The secret API key, which gives the role service_role. */
  secretKey: string
  /**
   * The installation's secret. The following are derived from the secret: all refresh tokens of a session except the first, the
   * tokens of links, mailed codes, the names of rate limit counters, the keys that protect second factors, and the VAPID keys.
   */
  refreshSecret: Buffer
  /** Whether this start generated the keys, because there was no key file. */
  areNew: boolean
}

const jwkSchema = z.object({
  kid: z.string(),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  /** The time at which another key replaced this one for signing (ISO 8601). */
  retiredAt: z.string().optional(),
})

const keyFileSchema = z.object({
  publishableKey: z.string().min(1),
  secretKey: z.string().min(1),
  /** A secret of at least 32 bytes. With fewer bytes, links and refresh tokens could be guessed. */
  refreshSecret: z.base64url().min(43),
  /** The keys of access tokens. The first one signs; all are accepted. */
  signingKeys: z.array(jwkSchema).min(1),
})

type KeyFile = z.infer<typeof keyFileSchema>

/** The name of the key file in `DATA_DIR`. Backups contain this file. */
export const keyFileName = 'keys.json'

/**
 * Reads the keys from `dataDir/keys.json`. If the file is missing, generates them (file mode 0600). `givenKeys`: the API keys
 * from the environment, which take precedence. If the file is damaged, throws an error that says what to do. A damaged
 * file is not replaced, because new keys would sign everybody out.
 */
export async function loadKeys(
  dataDir: string,
  givenKeys: { publishableKey?: string | undefined; secretKey?: string | undefined } = {},
): Promise<Keys> {
  const path = join(dataDir, keyFileName)
  await mkdir(dataDir, { recursive: true })
  const existingFile = await readKeyFile(path)
  const file = existingFile ?? (await makeKeyFile(path))
  await chmod(path, 0o600)
  return {
    ...(await importAcceptedKeys(file, path)),
    publishableKey: givenKeys.publishableKey ?? file.publishableKey,
    secretKey: givenKeys.secretKey ?? file.secretKey,
    refreshSecret: refreshSecretOf(file),
    areNew: existingFile === null,
  }
}

/**
 * Reads the installation's secret from the key file, for a command of the operator. Creates no file: a link that is made with
 * another secret is not valid. Throws an error that says what to do if the file is missing or damaged.
 */
export async function readRefreshSecret(dataDir: string): Promise<Buffer> {
  return refreshSecretOf(await requireKeyFile(join(dataDir, keyFileName)))
}

/**
 * Returns the signing keys of the file. Returns null if they equal the keys in `current`. Throws an error if the file is
 * missing or damaged.
 */
export async function readNewKeys(dataDir: string, current: SigningKeys): Promise<SigningKeys | null> {
  const path = join(dataDir, keyFileName)
  const file = await readKeyFile(path)
  if (file === null) throw new Error(`The key file ${path} is missing. Restore it from a backup`)
  const kids = file.signingKeys.filter(isAccepted).map(({ kid }) => kid)
  const isSame =
    kids.length === current.publicJwks.length && kids.every((kid, index) => current.publicJwks[index]?.kid === kid)
  return isSame ? null : importAcceptedKeys(file, path)
}

async function importAcceptedKeys(file: KeyFile, path: string): Promise<SigningKeys> {
  const imported = await Promise.all(file.signingKeys.filter(isAccepted).map(importPair)).catch(() => {
    throw damagedFileError(path)
  })
  const [signingPair] = imported
  if (signingPair === undefined) throw damagedFileError(path)
  return {
    signingKey: signingPair.signingKey,
    kid: signingPair.kid,
    verificationKeys: new Map(imported.map(({ kid, verificationKey }) => [kid, verificationKey])),
    publicJwks: imported.map(({ publicJwk }) => publicJwk),
  }
}

async function readKeyFile(path: string): Promise<KeyFile | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const parsed = keyFileSchema.safeParse(parseJson(text))
  if (!parsed.success) throw damagedFileError(path)
  return parsed.data
}

async function requireKeyFile(path: string): Promise<KeyFile> {
  const file = await readKeyFile(path)
  if (file === null) throw new Error(`${path} does not exist. Set DATA_DIR as for the server.`)
  return file
}

function refreshSecretOf(file: KeyFile): Buffer {
  return Buffer.from(file.refreshSecret, 'base64url')
}

/** Parses JSON. Returns undefined for invalid JSON, such as the text of a truncated file. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damagedFileError(path: string): Error {
  return new Error(
    `${path} is damaged. Restore it from a backup; or remove it: then everybody is signed out, and accounts with an authenticator app need npm run admin -- remove-factor.`,
  )
}

/** How long a retired key is still accepted (ms): longer than the life of any token that it has signed. */
const retirementMs = 2 * 3600 * 1000

function isAccepted({ retiredAt }: z.infer<typeof jwkSchema>): boolean {
  return retiredAt === undefined || Date.parse(retiredAt) > Date.now() - retirementMs
}

/**
 * Adds a new signing key to the key file. Running servers notice the new key within seconds (`key-watch.ts`). The servers
 * accept tokens of the old keys until these tokens expire. With `now`, they refuse tokens of the old keys at once: every device
 * then refreshes its token at its next request. Nobody is signed out. Returns the new `kid`. Throws if the key file is missing
 * or damaged.
 */
export async function rotateKeys(dataDir: string, { now }: { now: boolean }): Promise<string> {
  const path = join(dataDir, keyFileName)
  const file = await requireKeyFile(path)
  const newKeys = await makeKeys()
  const retiredAt = new Date().toISOString()
  const retiredKeys = now ? [] : file.signingKeys.filter(isAccepted).map((key) => ({ retiredAt, ...key }))
  await replaceKeyFile(path, { ...file, signingKeys: [...newKeys.signingKeys, ...retiredKeys] })
  return newKeys.signingKeys[0]?.kid ?? ''
}

async function replaceKeyFile(path: string, file: KeyFile): Promise<void> {
  const draft = draftOf(path)
  try {
    await writeDraft(draft, file)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns a unique name for a draft. A process id is not unique: servers in two containers may both have the id 1. */
function draftOf(path: string): string {
  return `${path}.${randomUUID()}`
}

/**
 * Generates the keys and writes them to a draft file, which is then linked to `path`. So a crash leaves no partial file.
 * Returns the keys in the file: if another server has created the file first, these are the keys of the other server.
 */
async function makeKeyFile(path: string): Promise<KeyFile> {
  const file = await makeKeys()
  const draft = draftOf(path)
  try {
    await writeDraft(draft, file)
    return (await linkIfAbsent(draft, path)) ?? file
  } finally {
    await rm(draft, { force: true })
  }
}

/** Links `draft` to `path` and returns null. If another server has created this file first, returns the file's content. */
async function linkIfAbsent(draft: string, path: string): Promise<KeyFile | null> {
  try {
    await link(draft, path)
    return null
  } catch (error) {
    const otherServersFile = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readKeyFile(path) : null
    // No other server has created the file: `link` failed because the file system does not support hard links.
    if (otherServersFile === null) await rename(draft, path)
    return otherServersFile
  }
}

async function writeDraft(draft: string, file: KeyFile): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function makeKeys(): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { kty, crv, x, y, d } = await exportJWK(privateKey)
  return keyFileSchema.parse({
    publishableKey: `sb_publishable_${randomText(22)}_${randomText(8)}`,
    secretKey: `sb_secret_${randomText(22)}_${randomText(8)}`,
    refreshSecret: randomBytes(32).toString('base64url'),
    signingKeys: [{ kid: randomBytes(12).toString('base64url'), kty, crv, x, y, d }],
  })
}

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' }

async function importPair({ kid, kty, crv, x, y, d }: z.infer<typeof jwkSchema>) {
  const publicJwk: JWK = { kid, kty, alg: 'ES256', use: 'sig', key_ops: ['verify'], crv, x, y }
  const signingKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y, d }, keyAlgorithm, false, ['sign'])
  const verificationKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, keyAlgorithm, false, ['verify'])
  return { kid, publicJwk, signingKey, verificationKey }
}

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}
