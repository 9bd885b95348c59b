import type { ReactNode } from 'react'
import type { Factor } from '#web/data/session/second-factor.ts'

/** The props of a factor's step. */
export interface FactorStepProps {
  factor: Factor
  /** Links to leave the step, shown below a line. */
  footer: ReactNode
  onDone: () => void
}
