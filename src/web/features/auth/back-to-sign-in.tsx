import { Link } from '@tanstack/react-router'
import { stepLinkClass } from './step-card.tsx'

/** The link back to the sign-in. */
export function BackToSignIn() {
  return (
    <Link to="/auth" activeOptions={{ exact: true }} className={stepLinkClass}>
      Back to Sign In
    </Link>
  )
}
