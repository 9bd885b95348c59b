import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Responses whose turn has not come, by their connection. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Node emits 'close' on a response only where the connection was given to it. A pipelined one waits for those before it,
 * and a connection that ends meanwhile would leave it open for ever, with all that is freed when it closes: so it is
 * closed here.
 */
export function closeWithConnection(response: ServerResponse): void {
  if (response.socket !== null) return
  const { socket } = response.req
  const there = waiting.get(socket) ?? watched(socket)
  there.add(response)
  response.once('socket', () => there.delete(response))
}

function watched(socket: Socket): Set<ServerResponse> {
  const there = new Set<ServerResponse>()
  waiting.set(socket, there)
  socket.once('close', () => {
    for (const response of there) {
      response.destroy()
      response.emit('close')
    }
  })
  return there
}
