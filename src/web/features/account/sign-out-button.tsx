import { Button } from '#web/ui/button.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'
import { useSignOut } from './use-sign-out.ts'

/** 'Sign Out' as a quiet button. Asks for confirmation if there are unsent changes. */
export function SignOutButton({ onSignedOut }: { onSignedOut: () => void }) {
  const signingOut = useSignOut(onSignedOut)
  return (
    <>
      <Button variant="quiet" pending={signingOut.pending && !signingOut.asking} onClick={signingOut.ask}>
        Sign Out
      </Button>
      <SignOutDialog {...signingOut} />
    </>
  )
}
