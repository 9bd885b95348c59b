import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The pipelined responses that wait for an earlier response, by their connection. */
const waitingResponses = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Emits 'close' on a response when its connection ends. Node does so only for a response that its connection is sending. A
 * pipelined response waits for an earlier one; without this function, its 'close' would never be emitted, and its memory
 * would stay in use.
 */
export function closeWithConnection(response: ServerResponse): void {
  if (response.socket !== null) return
  const { socket } = response.req
  const responses = waitingResponses.get(socket) ?? trackedResponses(socket)
  responses.add(response)
  response.once('socket', () => responses.delete(response))
}

function trackedResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  waitingResponses.set(socket, responses)
  socket.once('close', () => {
    for (const response of responses) {
      response.destroy()
      response.emit('close')
    }
  })
  return responses
}
