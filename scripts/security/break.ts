/** The smallest change that removes a defence. `from` must occur exactly once in `file`; with the change, the test must fail. */
export interface SecurityBreak {
  /** What the attacker can do without the defence. */
  attack: string
  file: string
  from: string
  to: string
  test: string
  /** A part of the test's full name. */
  title: string
  /** Set if the test fails without an assertion: a part of the failure's message, such as 'fetch failed' after a crash of the server. */
  failureText?: string
}
