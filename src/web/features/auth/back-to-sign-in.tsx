import { Link } from '#web/ui/link.tsx'
import { stepLinkClass } from './step-card.tsx'

/** The link back to the sign-in. */
export function BackToSignIn() {
  return (
    <Link to="/auth" className={stepLinkClass}>
      Back to Sign In
    </Link>
  )
}
