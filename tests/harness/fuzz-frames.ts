import fc from 'fast-check'
import WebSocket from 'ws'

const topic = fc.oneof(
  fc.constantFrom('phoenix', 'realtime:x', 'realtime:brand:00000000-0000-4000-8000-000000000000', '__proto__', ''),
  fc.string({ unit: 'binary' }),
)
const event = fc.oneof(
  fc.constantFrom('phx_join', 'phx_leave', 'heartbeat', 'access_token', 'broadcast', 'presence', 'phx_close'),
  fc.string(),
)
const binding = fc.record(
  {
    event: fc.oneof(fc.constantFrom('*', 'INSERT', 'nothing'), fc.jsonValue()),
    schema: fc.oneof(fc.constantFrom('public', 'private', 'pg_catalog'), fc.jsonValue()),
    table: fc.oneof(fc.constantFrom('deals', '*', 'pg_authid'), fc.jsonValue()),
    filter: fc.oneof(fc.constantFrom('id=eq.x', "name=in.(a,'b", 'brand_id=eq.1;drop', 'name=gt.'), fc.jsonValue()),
  },
  { requiredKeys: [] },
)
const config = fc.record(
  {
    postgres_changes: fc.oneof(fc.array(binding, { maxLength: 4 }), fc.jsonValue()),
    broadcast: fc.jsonValue(),
    presence: fc.oneof(fc.record({ key: fc.jsonValue(), enabled: fc.jsonValue() }), fc.jsonValue()),
    private: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
)
const payload = fc.oneof(
  fc.record({ config, access_token: fc.oneof(fc.string(), fc.jsonValue()) }, { requiredKeys: [] }),
  fc.jsonValue(),
)
const frame = fc
  .tuple(fc.option(fc.string()), fc.option(fc.string()), topic, event, payload)
  .map((parts) => JSON.stringify(parts))

/** Generates messages that anybody can send to a socket: almost valid frames, other JSON, text, bytes. */
export const anyMessage: fc.Arbitrary<string | Buffer> = fc.oneof(
  { weight: 6, arbitrary: frame },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from([3, ...bytes])) },
)

/**
 * Sends messages, 60 over each new socket because of the rate limit. Returns the number of sockets, and how many of them replied to a
 * heartbeat after their messages.
 */
export async function sendMessages(
  server: { url: string; publishableKey: string },
  messages: readonly (string | Buffer)[],
): Promise<{ sockets: number; answered: number }> {
  const messagesPerSocket = 60
  let [sockets, answered] = [0, 0]
  for (let start = 0; start < messages.length; start += messagesPerSocket) {
    sockets++
    if (await sendOverNewSocket(server, messages.slice(start, start + messagesPerSocket))) answered++
  }
  return { sockets, answered }
}

function sendOverNewSocket(
  server: { url: string; publishableKey: string },
  messages: readonly (string | Buffer)[],
): Promise<boolean> {
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(url)
  return new Promise((resolve) => {
    socket.on('open', () => {
      for (const message of messages) socket.send(message)
      socket.send('[null,"last","phoenix","heartbeat",{}]')
    })
    socket.on('message', (data) => {
      if (!(data as Buffer).toString().startsWith('[null,"last","phoenix","phx_reply"')) return
      socket.close()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
