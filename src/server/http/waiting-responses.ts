import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Pipelined responses that wait for an earlier one, by connection. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Node emits 'close' on a response only after the connection was assigned to it. A pipelined response waits for the
 * earlier ones; if the connection ends in the meantime, 'close' would never come, and nothing that it releases would be
 * released. This function emits it.
 */
export function closeWithConnection(response: ServerResponse): void {
  if (response.socket !== null) return
  const { socket } = response.req
  const responses = waiting.get(socket) ?? trackedResponses(socket)
  responses.add(response)
  response.once('socket', () => responses.delete(response))
}

function trackedResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  waiting.set(socket, responses)
  socket.once('close', () => {
    for (const response of responses) {
      response.destroy()
      response.emit('close')
    }
  })
  return responses
}
