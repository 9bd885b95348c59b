import { isApple } from '#web/lib/is-apple.ts'
import { Kbd } from '#web/ui/kbd.tsx'

/** The keys that submit the form of a dialog from any field, on its filled button. */
export function SubmitKeys() {
  return (
    <>
      <Kbd on="accent">{isApple ? '⌘' : 'Ctrl'}</Kbd>
      <Kbd on="accent">↵</Kbd>
    </>
  )
}
