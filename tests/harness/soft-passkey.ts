import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * An authenticator in software (WebAuthn level 2, ES256, attestation `none`) that can create valid and invalid responses.
 */
export interface SoftPasskey {
  /** Returns a browser's response to a challenge of type `create`. */
  create(options: { challenge: string }, wrong?: WrongValues): object
  /** Returns a browser's response to a challenge of type `request`. */
  get(options: { challenge: string }, wrong?: WrongValues): object
}

/** Wrong values for an invalid response. */
export interface WrongValues {
  origin?: string
  site?: string
  challenge?: string
  /** Signs with a wrong key. */
  signsWithWrongKey?: boolean
  /** The reported use counter. */
  count?: number
}

const userPresentFlag = 0x01
const userVerifiedFlag = 0x04
const hasCredentialFlag = 0x40

/** Creates a software passkey for the site at this URL. */
export function softPasskey(siteUrl: string): SoftPasskey {
  const { origin, hostname } = new URL(siteUrl)
  const { publicKey, privateKey } = keyPair()
  const id = randomBytes(16)
  let useCount = 0

  const clientData = (type: string, challenge: string, wrong: WrongValues) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const credentialResponse = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  })

  function create({ challenge }: { challenge: string }, wrong: WrongValues = {}): object {
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
    const data = authenticatorData(
      wrong.site ?? hostname,
      userPresentFlag | userVerifiedFlag | hasCredentialFlag,
      0,
      credential,
    )
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 255]),
      data,
    ])
    return credentialResponse({ clientDataJSON: clientData('webauthn.create', challenge, wrong), attestationObject })
  }

  function get({ challenge }: { challenge: string }, wrong: WrongValues = {}): object {
    const clientDataJSON = clientData('webauthn.get', challenge, wrong)
    useCount = wrong.count ?? useCount + 1
    const data = authenticatorData(
      wrong.site ?? hostname,
      userPresentFlag | userVerifiedFlag,
      useCount,
      Buffer.alloc(0),
    )
    const signedBytes = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
    const signature = sign('sha256', signedBytes, wrong.signsWithWrongKey ? keyPair().privateKey : privateKey)
    return credentialResponse({ clientDataJSON, authenticatorData: data, signature })
  }

  return { create, get }
}

function keyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function authenticatorData(site: string, flags: number, count: number, credential: Buffer): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(count)
  return Buffer.concat([createHash('sha256').update(site).digest(), Buffer.from([flags]), counter, credential])
}

/** Encodes the key as COSE in CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string }
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
