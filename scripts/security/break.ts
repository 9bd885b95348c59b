/** A defence taken out in the smallest way. `from` stands once in `file`; the test must go red. */
export interface SecurityBreak {
  /** What the attacker can do without the defence. */
  attack: string
  file: string
  from: string
  to: string
  test: string
  /** A part of the test's full name. */
  title: string
  /** What the test says instead of a failed assertion, such as 'fetch failed' where the server has died. */
  says?: string
}
