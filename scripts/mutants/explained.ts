/** The reason why a mutant may remain unnoticed. */
export interface Explanation {
  /** The source file or the SQL function's signature. */
  file: string
  /** A part of the mutant's line. */
  line: string
  /** `from → to`, as the report shows it. Absent if the reason applies to every change of the line. */
  change?: string
  because: string
}

/** Reasons why mutants of the server and of SQL functions may remain unnoticed. */
export const explained: Explanation[] = [
  {
    file: 'src/server/auth/audit.ts',
    line: 'if (Math.random() < 0.001)',
    change: '< → <=',
    because: 'differs only in one of 2^53 random numbers: old rows are deleted now and then',
  },
  {
    file: 'src/server/auth/factors/verify-factor.ts',
    line: "'credential' in update ? JSON.stringify(update.credential) : null",
    change: "'credential' in update → true",
    because: 'the same: without a credential JSON.stringify gives undefined, which pg sends as null',
  },
]
