import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A request that reached the proxy. `key`: its Idempotency-Key. */
export interface SeenRequest {
  method: string
  path: string
  key: string | null
}

/**
 * How the proxy treats a request: pass; refuse (it never arrives); cut-request (only its headers and half of its body arrive); drop-answer
 * (the server applies it, no byte of the response arrives); cut-answer (only the headers and half of the body of the response arrive).
 */
export type Fate = 'pass' | 'refuse' | 'cut-request' | 'drop-answer' | 'cut-answer'

interface LoggedRequest extends SeenRequest {
  fate: Fate
  answered: boolean
}

/** A proxy that loses requests and responses, as the test decides. */
export interface FaultyProxy {
  url: string
  /** Decides about each request. Live sockets are refused unless it returns 'pass'. Default: all pass. */
  judge: (request: SeenRequest) => Fate
  /** All requests with their treatment, in order. `answered`: the server's response has reached the proxy. */
  log: LoggedRequest[]
  /** `true` cuts all connections and refuses new requests; `false` accepts requests again. */
  setDown(down: boolean): void
  stop(): Promise<void>
}

/** Starts a proxy in front of a test server. It can lose requests and responses, like a network. */
export async function startFaultyProxy(target: { port: number }): Promise<FaultyProxy> {
  let down = false
  const sockets = new Set<Socket>()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const decide = (incoming: IncomingMessage): LoggedRequest => {
    const { method = 'GET', url = '/', headers } = incoming
    const seenRequest = { method, path: url, key: headers['idempotency-key']?.toString() ?? null }
    const loggedRequest = {
      ...seenRequest,
      fate: down ? ('refuse' as const) : proxy.judge(seenRequest),
      answered: false,
    }
    proxy.log.push(loggedRequest)
    return loggedRequest
  }
  const server = createServer((incoming, outgoing) => forward(target.port, incoming, outgoing, decide(incoming)))
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (decide(incoming).fate === 'pass') tunnel(target.port, incoming, socket, head)
    else socket.destroy()
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    judge: () => 'pass',
    log: [],
    setDown: (to) => {
      down = to
      if (to) cutAll()
    },
    stop: async () => {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

function forward(
  port: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  loggedRequest: LoggedRequest,
): void {
  const { fate } = loggedRequest
  const cut = () => incoming.socket.destroy()
  if (fate === 'refuse') return void cut()
  const { method, url: path, headers } = incoming
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
    response.once('end', () => {
      loggedRequest.answered = true
    })
    if (fate === 'drop-answer') response.resume().once('end', cut)
    else if (fate === 'cut-answer') void sendHalf(response, outgoing).then(cut)
    else response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers))
  })
  forwarded.on('error', cut)
  if (fate !== 'cut-request') return void incoming.pipe(forwarded)
  void readBody(incoming).then((body) => {
    forwarded.flushHeaders()
    forwarded.write(body.subarray(0, Math.floor(body.length / 2)), () => forwarded.destroy())
  })
}

/** Sends the headers of a response and the first half of its body. Resolves when they are sent. */
async function sendHalf(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await readBody(response)
  const { 'transfer-encoding': _, ...headers } = response.headers
  outgoing.writeHead(response.statusCode ?? 502, { ...headers, 'content-length': body.length })
  const half = body.subarray(0, Math.floor(body.length / 2))
  await new Promise<void>((resolve) => void outgoing.write(half, () => resolve()))
}

async function readBody(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Forwards a WebSocket: the request unchanged, then bytes in both directions. */
function tunnel(port: number, incoming: IncomingMessage, socket: Socket, head: Buffer): void {
  const forwarded = connect(port, '127.0.0.1', () => {
    const lines = incoming.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    forwarded.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines}\r\n`)
    forwarded.write(head)
    forwarded.pipe(socket).pipe(forwarded)
  })
  for (const end of [socket, forwarded]) {
    end.on('error', () => {})
    end.on('close', () => {
      socket.destroy()
      forwarded.destroy()
    })
  }
}
