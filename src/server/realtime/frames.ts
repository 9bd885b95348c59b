/** A message of the Phoenix protocol (docs/supabase-protocol.md, section 4). */
export interface Frame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

/** The version of the protocol that a client uses. Frames are JSON arrays in 2.0.0, and JSON objects in 1.0.0. */
export type ProtocolVersion = '1.0.0' | '2.0.0'

const maxNameLength = 255
/**
 * Maximum number of characters of a topic in a message. A join accepts shorter topics only (`limits.topicLength`). The
 * difference is for the refusal: the client ignores a reply that does not repeat the topic.
 */
const maxTopicLength = 4_096
const userBroadcastPushKind = 3

/** Parses a text message of a client. Returns null if it is not a valid frame. */
export function parseFrame(text: string, version: ProtocolVersion): Frame | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (version === '2.0.0') return Array.isArray(value) && value.length === 5 ? frameOf(value) : null
  if (!isObject(value)) return null
  return frameOf([value['join_ref'] ?? null, value['ref'] ?? null, value['topic'], value['event'], value['payload']])
}

/** Parses a binary message of a client. Only broadcasts may be binary. Returns null for any other message. */
export function parseBinaryFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 7 || bytes[0] !== userBroadcastPushKind) return null
  const [joinRef = 0, ref = 0, topic = 0, event = 0, metadata = 0, encoding] = bytes.subarray(1, 7)
  let at = 7
  const take = (length: number) => bytes.subarray(at, (at += length)).toString('utf8')
  const [joinRefText, refText, topicName, eventName] = [take(joinRef), take(ref), take(topic), take(event)]
  at += metadata
  // Raw bytes are not supported: the product sends none, and SQL stores JSON.
  if (at > bytes.length || encoding !== 1) return null
  try {
    const payload = { type: 'broadcast', event: eventName, payload: JSON.parse(bytes.subarray(at).toString('utf8')) }
    return frameOf([joinRefText || null, refText || null, topicName, 'broadcast', payload])
  } catch {
    return null
  }
}

function frameOf([joinRef, ref, topic, event, payload]: unknown[]): Frame | null {
  if (!isRef(joinRef) || !isRef(ref) || !isName(topic, maxTopicLength) || !isName(event)) return null
  return { joinRef, ref, topic, event, payload }
}

function isRef(value: unknown): value is string | null {
  return value === null || isName(value)
}

function isName(value: unknown, maxLength = maxNameLength): value is string {
  return typeof value === 'string' && value.length <= maxLength
}

/** Whether a JSON value is an object, not a list or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Serialises a frame whose payload is already JSON text. */
export function writeFrame(frame: Omit<Frame, 'payload'>, payloadJson: string, version: ProtocolVersion): string {
  const { joinRef, ref, topic, event } = frame
  if (version === '2.0.0')
    return `[${refJson(joinRef)},${refJson(ref)},${JSON.stringify(topic)},${JSON.stringify(event)},${payloadJson}]`
  return `{"join_ref":${refJson(joinRef)},"ref":${refJson(ref)},"topic":${JSON.stringify(topic)},"event":${JSON.stringify(event)},"payload":${payloadJson}}`
}

function refJson(ref: string | null): string {
  return ref === null ? 'null' : JSON.stringify(ref)
}
