import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Pipelined responses that wait for an earlier response, by connection. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Emits 'close' on a response when its connection ends. Node does so only if the response has the connection already. A
 * pipelined response waits for it; without this function its 'close' would never come, and its memory would stay held.
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
