import type { ReactNode } from 'react'
import type { Factor } from '#web/data/session/second-factor.ts'

/** The props of the sign-in step for one kind of factor. */
export interface FactorStepProps {
  factor: Factor
  /** Links that leave the step, shown below a horizontal line. */
  footer: ReactNode
  onDone: () => void
}
