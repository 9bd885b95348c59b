/** The most that the database may answer to one request, all its messages together. Bytes. */
export const maxAnswerBytes = 32 * 1024 * 1024

/**
 * The answer of the database was not taken: it is too large, or too much is on its way to this caller or to all. The
 * connection was dropped before the answer was read, so the statement was rolled back where it wrote.
 */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused'

  constructor(readonly reason: 'too large' | 'busy') {
    super(reason === 'busy' ? 'Too many large answers are on their way' : 'The answer is too large')
  }
}
