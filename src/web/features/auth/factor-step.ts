import type { ReactNode } from 'react'
import type { Factor } from '#web/data/session/second-factor.ts'

/** What the step of a single factor gets. */
export interface FactorStepProps {
  factor: Factor
  /** The ways out, for under the line. */
  footer: ReactNode
  onDone: () => void
}
