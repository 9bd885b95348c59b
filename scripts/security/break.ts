/** A defence removed by the smallest change. `from` must occur exactly once in `file`; the test must fail. */
export interface SecurityBreak {
  /** What the attacker can do without the defence. */
  attack: string
  file: string
  from: string
  to: string
  test: string
  /** A part of the test's full name. */
  title: string
  /** The message of the failure if it is no assertion, such as 'fetch failed' when the server has crashed. */
  says?: string
}
