/** The maximum size of the database's answer to one request, all messages together (bytes). */
export const maxAnswerBytes = 32 * 1024 * 1024

/**
 * The database's answer was refused: it is too large, or too many bytes are held for this caller or for all. The
 * connection was dropped before the answer was read, so a write was rolled back.
 */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused'

  constructor(readonly reason: 'too large' | 'busy') {
    super(reason === 'busy' ? 'Too many large answers are on their way' : 'The answer is too large')
  }
}
