/** The maximum size of the result of one request: all messages of PostgreSQL together (bytes). */
export const maxResultBytes = 32 * 1024 * 1024

/**
 * The result of a request was refused: it is too large, or too many bytes are held for this user or for all users. The
 * connection was cut before the whole result was read. With `commitsAfterResult`, the cut always rolls the batch back. Without
 * `commitsAfterResult`, PostgreSQL may have committed already, if the rest of the result fits into the buffers of the socket.
 */
export class ResultRefusedError extends Error {
  override name = 'ResultRefusedError'

  constructor(readonly reason: 'too large' | 'busy') {
    super(reason === 'busy' ? 'Too many large results are in memory' : 'The result is too large')
  }
}
